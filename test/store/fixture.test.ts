import { readdir, readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FixtureError, parseFixture } from '../../src/store/fixture.ts'
import { generateFixture } from '../../src/store/generate-fixture.ts'
import { SHIPPED_FIXTURES } from '../../src/store/shipped-fixtures.ts'

describe('a fixture', () => {
  test('keeps every int64 exactly, as a number and as a string', () => {
    const ids = fc.uniqueArray(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), { maxLength: 5 })
    fc.assert(
      fc.property(ids, fc.boolean(), (petIds, asText) => {
        const items = petIds.map((id) => `{"petId":${asText ? `"${id}"` : id},"quantity":1,"status":"sold"}`)
        const pets = parseFixture(`{"inventory":[${items.join(',')}]}`, 'my.json')
        expect(Array.from(pets.values(), ({ petId }) => petId)).toEqual(petIds.map(String))
      }),
    )
  })

  test('every fault is named by file, place and reason', () => {
    const content = {
      inventory: [
        { petId: 12, quantity: 1, status: 'available' },
        { petId: '12', quantity: 1.5, status: 'lost' },
        { petId: 2 ** 53, quantity: '3', status: 'sold' },
        { petid: 4 },
        7,
      ],
      pets: [],
    }
    expect(() => parseFixture(content, 'my.json')).toThrow(
      [
        'my.json: pets: is not known. Known: $schema, description, inventory',
        'my.json: inventory[1].quantity: must be an integer from -(2^53-1) to 2^53-1, got 1.5 (number)',
        'my.json: inventory[1].status: must be one of available, pending, sold, got "lost" (string)',
        'my.json: inventory[1].petId: 12 is already used by inventory[0]',
        'my.json: inventory[2].petId: must be an int64: a safe integer, a bigint or a string of decimal digits, got 9007199254740992 (number); write it as a string, because a number this large is rounded',
        'my.json: inventory[2].quantity: must be an integer from -(2^53-1) to 2^53-1, got "3" (string)',
        'my.json: inventory[3].petid: is not known. Did you mean petId? Known: petId, quantity, status',
        'my.json: inventory[3].petId: is required',
        'my.json: inventory[3].quantity: is required',
        'my.json: inventory[3].status: is required',
        'my.json: inventory[4]: must be an object with petId, quantity, status, got 7 (number)',
      ].join('\n'),
    )
  })

  test.each([
    ['{"inventory": [', /^my\.json: is not JSON: ./],
    [
      '[]',
      /^my\.json: must be an object with \$schema, description, inventory, got \[\] \(array\)\. Wrap it: \{ "inventory": \[\.\.\.\] \}$/,
    ],
    ['{}', /^my\.json: inventory: is required$/],
    ['{"inventory": {}}', /^my\.json: inventory: must be an array, got \{\} \(object\)$/],
  ])('%s is refused', (content, message) => {
    expect(() => parseFixture(content, 'my.json')).toThrow(message)
  })

  test.each([
    [100, 'my.json: inventory[99]: must be an object with petId, quantity, status, got 1 (number)'],
    [101, 'my.json: and 1 more'],
    [10_000, 'my.json: and 9900 more'],
    [10_001, 'my.json: and more than 9900 more'],
    [20_000, 'my.json: and more than 9900 more'],
  ])('with %i faults names a hundred, counts the others, and gives up', (count, last) => {
    const names = Array.from({ length: count }, (_, index) => [`x${index}`, 1] as const)
    const item = { petId: 1, quantity: 1, status: 'sold', ...Object.fromEntries(names) }
    const inList = catchFaults({ inventory: Array(count).fill(1) })
    const inItem = catchFaults({ inventory: [item, ...Array(10).fill(1)] })
    const beside = catchFaults({ inventory: [], ...Object.fromEntries(names) })
    expect(inList.message.split('\n').slice(99).at(-1)).toBe(last)
    for (const { message, problems } of [inList, inItem, beside]) {
      expect(message.split('\n').length).toBeLessThanOrEqual(101)
      expect(problems.length).toBeLessThanOrEqual(10_020)
      expect(message.includes('more than')).toBe(problems.length > 10_000)
    }
    expect([inList.problems.length, beside.problems.length]).toEqual(Array(2).fill(Math.min(count, 10_001)))
  })

  test('that is no JSON has the reason as its cause', () => {
    expect(() => parseFixture('{', 'my.json')).toThrow(expect.objectContaining({ cause: expect.any(SyntaxError) }))
  })

  test('is told to write a large petId as a string, and no fraction', () => {
    const message = (petId: number) => catchFaults({ inventory: [{ petId, quantity: 1, status: 'sold' }] }).message
    expect([message(2 ** 63), message(1.5)]).toEqual([
      expect.stringContaining('write it as a string'),
      'my.json: inventory[0].petId: must be an int64: a safe integer, a bigint or a string of decimal digits, got 1.5 (number)',
    ])
  })

  test('whatever the content, it is read or refused by a FixtureError', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.object()), (content) => {
        try {
          parseFixture(content, 'my.json')
        } catch (error) {
          expect(error).toMatchObject({ name: 'MockError', code: 'INVALID_FIXTURE' })
        }
      }),
    )
  })

  test('every file in fixtures is shipped under its name', async () => {
    const folder = new URL('../../fixtures/', import.meta.url)
    const files = (await readdir(folder)).filter((name) => name !== 'fixture.schema.json')
    expect(files.map((name) => name.replace('.json', '')).sort()).toEqual(Object.keys(SHIPPED_FIXTURES).sort())
    for (const name of files) expect(parseFixture(await readFile(new URL(name, folder), 'utf8'), name)).toBeDefined()
  })
})

describe('generateFixture', () => {
  test('gives the same pets for the same numbers, on every machine', () => {
    expect(generateFixture({ pets: 4 }).inventory).toEqual([
      { petId: 1, quantity: 0, status: 'pending' },
      { petId: 2, quantity: 99, status: 'pending' },
      { petId: 3, quantity: 0, status: 'sold' },
      expect.objectContaining({ petId: 4 }),
    ])
    expect(generateFixture({ pets: 50, randomSeed: 7 })).toEqual(generateFixture({ pets: 50, randomSeed: 7 }))
    expect(generateFixture({ pets: 50, randomSeed: 7 })).not.toEqual(generateFixture({ pets: 50, randomSeed: 8 }))
  })

  test('makes a fixture that can be loaded, of any size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), fc.maxSafeInteger(), (pets, randomSeed) => {
        expect(parseFixture(generateFixture({ pets, randomSeed }), 'generated').size).toBe(pets)
      }),
    )
  })

  test.each([{ pets: -1 }, { pets: 1.5 }, { pets: 10_000_001 }, { pets: 1, randomSeed: 0.5 }])(
    '%j is refused',
    (options) => {
      expect(() => generateFixture(options)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    },
  )
})

function catchFaults(content: object): FixtureError {
  try {
    parseFixture(content, 'my.json')
  } catch (error) {
    return error as FixtureError
  }
  throw new Error('nothing was thrown')
}
