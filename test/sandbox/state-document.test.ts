import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMock, type Mock, type Sandbox } from '../../src/index.ts'
import { restoreState, writeState } from '../../src/sandbox/state-document.ts'
import { toService } from '../../src/service/mock.ts'
import { generateFixture } from '../../src/store/generate-fixture.ts'

const SANDBOXES = ['default', 'a', 'b']
const FIXTURE = generateFixture({ pets: 30 })

const sandbox = fc.constantFrom(...SANDBOXES)
const ACTS = ['set', 'set', 'set', 'remove', 'remove', 'setMany', 'removeMany', 'load', 'copy', 'reset'] as const
const step = fc.record({
  act: fc.constantFrom(...ACTS),
  name: sandbox,
  petId: fc.oneof(
    fc.bigInt(1n, 35n),
    fc.constantFrom(0n, -1n, 9007199254740991n, 9007199254740992n, 9007199254740993n, 2n ** 63n - 1n, -(2n ** 63n)),
  ),
  quantity: fc.maxSafeInteger(),
  status: fc.constantFrom('available' as const, 'pending' as const, 'sold' as const),
  count: fc.nat(20),
  fixture: fc.constantFrom('empty', 'default', 'int64-edges'),
  from: sandbox,
})
const steps = fc.array(step, { maxLength: 25, size: 'max' })
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

function take(mock: Mock, { act, name, petId, quantity, status, count, fixture, from }: Step): void {
  const { inventory, load, reset, restore } = mock.sandbox(name)
  if (act === 'set' && inventory.get(petId) === undefined) inventory.add({ petId, quantity, status })
  else if (act === 'set') inventory.set(petId, { quantity, status })
  if (act === 'remove') inventory.remove(petId)
  const many = inventory.list().slice(0, count)
  if (act === 'setMany') for (const pet of many) inventory.set(pet.petId, { quantity })
  if (act === 'removeMany') for (const pet of many) inventory.remove(pet.petId)
  if (act === 'load') load(fixture)
  if (act === 'copy') restore(mock.sandbox(from).snapshot())
  if (act === 'reset') reset()
}

describe('exportState and importState', () => {
  test('bring every list back, byte for byte, in a mock of the same fixture and in one of another', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const mock = createMock({ fixture: FIXTURE })
        for (const each of taken) take(mock, each)
        const lists = readLists(mock)
        const text = mock.exportState()
        const again = createMock({ fixture: FIXTURE })
        again.importState(text)
        expect(readLists(again)).toEqual(lists)
        expect(again.exportState()).toBe(text)
        expect(readChanges(again)).toEqual(readChanges(mock))

        const elsewhere = createMock({ fixture: 'low-stock' })
        elsewhere.importState(`\uFEFF${text}`)
        const held = SANDBOXES.filter((name) => text.includes(`{"name":"${name}","seed":`))
        expect(held).toContain('default')
        expect(readLists(elsewhere, held)).toEqual(readLists(mock, held))
        elsewhere.reset()
        expect(elsewhere.inventory.list()).toEqual(createMock({ fixture: 'low-stock' }).inventory.list())
      }),
      { numRuns: 25 },
    )
  })

  test('a fixture that sandboxes share is written once, and shared again', () => {
    const mock = createMock()
    mock.sandbox('a').load(FIXTURE)
    mock.sandbox('b').restore(mock.sandbox('a').snapshot())
    const text = mock.exportState()
    expect((JSON.parse(text) as { seeds: unknown[] }).seeds).toHaveLength(2)
    const again = createMock()
    again.importState(text)
    const [one, other] = ['a', 'b'].map((name) => toService(again).sandboxes.open(name).state.seed)
    expect(one).toBe(other)
  })

  test('a sandbox keeps the order in which it was used, and its fixture its name', () => {
    const mock = createMock()
    for (const name of ['a', 'b', 'a']) mock.sandbox(name).load('low-stock')
    const again = createMock({ maxSandboxes: 2 })
    again.importState(mock.exportState())
    expect(Array.from(toService(again).sandboxes.values(), ({ controls }) => controls.name)).toEqual([
      'default',
      'b',
      'a',
    ])
    expect(toService(again).sandboxes.open('a').state.seed.name).toBe('low-stock')
  })

  test('unchanged sandboxes share the seed of the mock, whatever it is called', () => {
    const mock = createMock({ fixtures: { 'one.json': FIXTURE } })
    const again = createMock({ fixtures: { 'two.json': FIXTURE } })
    mock.inventory.set(1, { quantity: 77 })
    again.importState(mock.exportState())
    expect(again.inventory.get(1)?.quantity).toBe(77)
    expect(toService(again).sandboxes.default.state.seed).toBe(toService(again).sandboxes.seeds.initial)
  })
})

test('a document has the sandboxes that differ, and of them what differs', () => {
  const inventory = [1, 2, 3].map((petId) => ({ petId, quantity: petId, status: 'available' as const }))
  const mock = createMock({ fixtures: { three: { inventory } } })
  const { inventory: a } = mock.sandbox('a')
  mock.sandbox('unchanged').inventory.get(1)
  a.set(1, { quantity: 7 })
  a.set(2, { status: 'sold' })
  a.remove(3)
  a.add({ petId: 2n ** 60n, quantity: 0, status: 'pending' })
  mock.sandbox('b').load({ inventory: [] })
  const document = `{"version":5,"seeds":[{"name":"three","pets":[[1,1,"available"],[2,2,"available"],[3,3,"available"]]},{"name":"custom","pets":[]}],"sandboxes":[{"name":"default","seed":0},{"name":"a","seed":0,"removed":[3],"pets":[[1,7,"available"],[2,2,"sold"],["1152921504606846976",0,"pending"]]},{"name":"b","seed":1}]}`
  expect(mock.exportState()).toBe(document)
  expect(() => mock.importState(document.replace('[1,1,"available"]', '[1,1,"available",0]'))).toThrow('pets[0]')
})

describe('a seed that is nearly that of the mock', () => {
  test.each([
    ['the status of the first pet', '[1,12,"available"]', '[1,12,"sold"]'],
    ['the quantity of the third pet', '[3,4,"available"]', '[3,5,"available"]'],
    ['one pet less at its end', ',[3,4,"available"]', ''],
    ['one pet more at its end', '[3,4,"available"]', '[3,4,"available"],[4,1,"sold"]'],
  ])('is read as it is written: with %s', (_, text, other) => {
    const inventory = [
      { petId: 1, quantity: 12, status: 'available' },
      { petId: 2, quantity: 3, status: 'available' },
      { petId: 3, quantity: 4, status: 'available' },
    ] as const
    const mock = createMock({ fixture: { inventory } })
    const state = mock.exportState()
    expect(state).toContain(text)
    mock.importState(state.replace(text, other))
    expect(mock.exportState()).toBe(state.replace(text, other))
    expect(mock.inventory.list().length).toBe(other === '' ? 2 : other.includes('],[') ? 4 : 3)
  })
})

test('reading and writing count the sandboxes, and what differs from their seeds', () => {
  const mock = createMock()
  mock.inventory.set(1, { quantity: 77 })
  mock.sandbox('a').inventory.remove(1)
  mock.sandbox('a').inventory.remove(2)
  const { text, summary } = writeState(toService(mock).sandboxes)
  expect(summary).toEqual({ sandboxes: 2, changes: 3 })
  expect(restoreState(text, { sandboxes: toService(createMock()).sandboxes, origin: 'state' })).toEqual(summary)
})

const SEED = { name: 's', pets: [[1, 2, 'sold']] }

/** A document of one sandbox. */
function write(sandbox: object, seed: object = SEED): string {
  return JSON.stringify({ version: 5, seeds: [seed], sandboxes: [{ name: 'default', seed: 0, ...sandbox }] })
}

test.each([
  ['a quantity of -0 as 0', write({ pets: [['-0']] }).replace('["-0"]', '[1,-0,"sold"]'), [[1, 0, 'sold']]],
  ['a change', write({ pets: [[1, 5, 'pending']] }), [[1, 5, 'pending']]],
  ['a pet that was removed and added again', write({ removed: [1], pets: [[1, 7, 'sold']] }), [[1, 7, 'sold']]],
  [
    'an id as a number of 64 bits',
    write({ removed: [1], pets: [['X', 1, 'sold']] }).replace('"X"', `${2n ** 62n}`),
    [[2n ** 62n, 1, 'sold']],
  ],
  ['spaces', ` ${write({})}\r\n\r\n`, [[1, 2, 'sold']]],
])('reads %s', (_, text, pets) => {
  const mock = createMock()
  mock.importState(text)
  expect(mock.inventory.list()).toEqual(pets.map(([petId, quantity, status]) => ({ petId, quantity, status })))
})

test.each([
  ['', 'is not JSON'],
  [{ version: 5 } as never, 'must be the text of exportState(), got {"version":5} (object)'],
  ['null', 'no version'],
  ['{"version":1,"sandboxes":{}}', 'version 1'],
  // Its pets that were removed and added again came last.
  [write({}).replace('"version":5', '"version":4'), 'version 4, from another release, and this release reads 5'],
  ['{"seeds":[],"version":5.5}', 'version 5.5'],
  ['{"version":"5"}', 'version "5"'],
  ['{"version":5}', 'seeds'],
  ['{"version":5,"seeds":[],"sandboxes":[],"x":1}', 'x'],
  [write({ x: 1 }), 'sandboxes[0].x'],
  [write({ name: 'a b' }), 'sandboxes[0].name'],
  [write({ seed: '0' }), 'sandboxes[0].seed'],
  [write({ seed: 1 }), 'sandboxes[0].seed'],
  [write({}).replace(/(\{"name":"default".*?\})/, '$1,$1'), 'sandboxes[1].name'],
  [write({}, { ...SEED, name: 1 }), 'seeds[0].name'],
  [write({}, { ...SEED, pets: 1 }), 'seeds[0].pets'],
  [write({}, { ...SEED, pets: [{}] }), 'seeds[0].pets[0]'],
  [write({}, { ...SEED, pets: [[1, 2]] }), 'seeds[0].pets[0]'],
  [write({}, { ...SEED, pets: [...SEED.pets, ...SEED.pets] }), 'seeds[0].pets[1]: 1'],
  [write({ removed: 5 }), 'sandboxes[0].removed'],
  [write({ removed: [7] }), 'sandboxes[0].removed[0]'],
  [write({ removed: ['01'] }), 'sandboxes[0].removed[0]'],
  [write({ removed: [1, 1] }), 'sandboxes[0].removed[1]'],
  [write({ pets: {} }), 'sandboxes[0].pets'],
  [write({ pets: [5] }), 'sandboxes[0].pets[0]'],
  [write({ pets: [[1, 2]] }), 'sandboxes[0].pets[0]'],
  [write({ pets: [[1, null, 'sold']] }), 'sandboxes[0].pets[0]'],
  [write({ pets: [[1, 1, 'gone']] }), 'sandboxes[0].pets[0]'],
  [write({ pets: [[1, 1, 'sold', 2]] }), 'sandboxes[0].pets[0]'],
])('%.90s is refused naming %s, and everything stays', (text, place) => {
  const mock = createMock()
  mock.inventory.set(1, { quantity: 77 })
  const before = mock.exportState()
  expect(() => mock.importState(text, 'f.json')).toThrow(
    expect.objectContaining({ code: 'INVALID_FIXTURE', message: expect.stringMatching(/^f\.json: /) }),
  )
  expect(() => mock.importState(text)).toThrow(place)
  expect(mock.exportState()).toBe(before)
})

function readLists(mock: Mock, names: readonly string[] = SANDBOXES): string[] {
  return names.map((name) => writeList(mock.sandbox(name)))
}

function writeList({ inventory }: Sandbox): string {
  const items = inventory
    .list()
    .map((item) => `{"petId":${item.petId},"quantity":${item.quantity},"status":"${item.status}"}`)
  return `[${items.join(',')}]`
}

function readChanges(mock: Mock): number[] {
  return SANDBOXES.map((name) => toService(mock).sandboxes.open(name).state.changes)
}
