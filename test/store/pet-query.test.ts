import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMock, type InventoryItem, type PetQuery } from '../../src/index.ts'

const MIN = -(2n ** 63n)
const MAX = 2n ** 63n - 1n
/** Mostly small, so that many conditions hold for some of the pets. */
const petIds = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt(-3n, 3n) },
  fc.bigInt(MIN, MAX),
  fc.constantFrom(MIN, MAX, 2n ** 53n, 2n ** 53n + 1n),
)
const statuses = fc.constantFrom('available', 'pending', 'sold')
const quantities = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: -3, max: 3 }) }, fc.maxSafeInteger())
const pets = fc.uniqueArray(fc.record({ petId: petIds, quantity: quantities, status: statuses }), {
  selector: ({ petId }) => petId,
  maxLength: 12,
})

function conditionsOn<Value>(values: fc.Arbitrary<Value>) {
  const ones = ['equals', 'notEquals', 'gt', 'gte', 'lt', 'lte']
  const pairs = ['between', 'notBetween', 'in', 'notIn']
  const condition = fc.oneof(
    fc.tuple(fc.constantFrom(...ones), values),
    fc.tuple(fc.constantFrom(...pairs), fc.tuple(values, values)),
  )
  // Several conditions at once rarely leave a pet over, and then one that is ignored goes unnoticed.
  return fc
    .oneof({ weight: 3, arbitrary: condition.map((one) => [one]) }, fc.array(condition, { maxLength: 4 }))
    .map(Object.fromEntries)
}

const wheres = fc.record(
  {
    petId: conditionsOn(petIds),
    quantity: conditionsOn(quantities),
    status: fc.record(
      { equals: statuses, notEquals: statuses, in: fc.array(statuses), notIn: fc.array(statuses) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

/** The conditions as the library documents them, over exact values. */
function holds(value: bigint | number | string, conditions: Record<string, unknown>): boolean {
  return Object.entries(conditions).every(([name, wanted]) => {
    const [min, max] = (Array.isArray(wanted) ? wanted : []) as (bigint | number)[]
    const one = wanted as bigint
    const many = (Array.isArray(wanted) ? wanted : []) as unknown[]
    const isBetween = min !== undefined && max !== undefined && (value as bigint) >= min && (value as bigint) <= max
    const results: Record<string, boolean> = {
      equals: value === wanted,
      notEquals: value !== wanted,
      gt: (value as bigint) > one,
      gte: (value as bigint) >= one,
      lt: (value as bigint) < one,
      lte: (value as bigint) <= one,
      between: isBetween,
      notBetween: !isBetween,
      in: many.includes(value),
      notIn: !many.includes(value),
    }
    return results[name]
  })
}

function createFilled(inventory: readonly { petId: bigint; quantity: number; status: string }[]) {
  const mock = createMock({ fixture: 'empty' })
  for (const pet of inventory) mock.inventory.add(pet as never)
  return mock
}

describe('inventory.findMany and count', () => {
  test('find what the conditions say, every int64 exact', () => {
    fc.assert(
      fc.property(pets, wheres, (inventory, where) => {
        const { inventory: controls } = createFilled(inventory)
        const wanted = inventory.filter((pet) =>
          Object.entries(where).every(([name, conditions]) =>
            holds(pet[name as keyof typeof pet], conditions as Record<string, unknown>),
          ),
        )
        const query = { where } as PetQuery
        expect(controls.findMany(query).map(({ petId }) => BigInt(petId))).toEqual(wanted.map(({ petId }) => petId))
        expect(controls.count(query)).toBe(wanted.length)
      }),
      { numRuns: 500 },
    )
  })

  test('sort by number, keep the order of equals, and cut', () => {
    const directions = fc.constantFrom('asc', 'desc')
    fc.assert(
      fc.property(
        pets,
        fc.constantFrom('petId', 'quantity'),
        directions,
        fc.nat(14),
        fc.nat(14),
        (inventory, property, direction, skip, take) => {
          const sign = direction === 'asc' ? 1 : -1
          const sorted = inventory.toSorted((a, b) => {
            const [left, right] = [a, b].map((pet) => BigInt(pet[property as 'petId']))
            return (left as bigint) < (right as bigint) ? -sign : (left as bigint) > (right as bigint) ? sign : 0
          })
          const { inventory: controls } = createFilled(inventory)
          const found = controls.findMany({ orderBy: { [property]: direction }, skip, take } as PetQuery)
          const wanted = sorted.slice(skip, skip + take)
          expect(found.map(({ petId }) => BigInt(petId))).toEqual(wanted.map(({ petId }) => petId))
        },
      ),
    )
  })

  test('sort by more than one property', () => {
    const { inventory } = createFilled([
      { petId: 1n, quantity: 2, status: 'sold' },
      { petId: 2n, quantity: 1, status: 'sold' },
      { petId: 3n, quantity: 2, status: 'available' },
    ])
    const ids = (found: InventoryItem[]) => found.map(({ petId }) => petId)
    expect(ids(inventory.findMany({ orderBy: [{ status: 'asc' }, { quantity: 'asc' }] }))).toEqual([3, 2, 1])
  })

  test.each<[unknown, string]>([
    [{ wher: {} }, 'wher is not known. Did you mean where? Known: where, orderBy, take, skip.'],
    [{ where: { quantity: 3 } }, 'where.quantity must be an object with equals, notEquals'],
    [{ where: { quantity: { lower: 3 } } }, 'where.quantity.lower is not known.'],
    [{ where: { quantity: { lte: '3' } } }, 'where.quantity.lte must be a number, got "3" (string).'],
    [{ where: { quantity: { in: 3 } } }, 'where.quantity.in must be a list, got 3 (number).'],
    ...[[1], [1, 2, 3], 1].map((between): [unknown, string] => [
      { where: { quantity: { between } } },
      'where.quantity.between must be a list of two',
    ]),
    [{ where: { quantity: { notBetween: [1, '2'] } } }, 'where.quantity.notBetween[1] must be a number'],
    [{ where: { status: { equals: 'lost' } } }, 'where.status.equals must be one of available, pending, sold'],
    [{ where: { petId: { gt: 1.5 } } }, 'where.petId.gt must be an int64: a safe integer'],
    [{ orderBy: { quantity: 'up' } }, 'orderBy.quantity must be one of asc, desc, got "up" (string).'],
    [{ orderBy: { quantity: 'asc', petId: 'asc' } }, 'Give a list to sort by more than one.'],
    [{ orderBy: {} }, 'orderBy takes one property in each object.'],
    [{ take: -1 }, 'take must be an integer of 0 or more, got -1 (number).'],
    [null, 'the query must be an object with where'],
  ])('refuse %j', (query, message) => {
    const { inventory } = createMock()
    const refusal = expect.objectContaining({ code: 'INVALID_QUERY', message: expect.stringContaining(message) })
    expect(() => inventory.findMany(query as PetQuery)).toThrow(refusal)
    expect(() => inventory.count(query as PetQuery)).toThrow(expect.objectContaining({ code: 'INVALID_QUERY' }))
  })
})
