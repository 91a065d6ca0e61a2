import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMock, type Mock, type Sandbox } from '../../src/index.ts'
import { createStateReader } from '../../src/sandbox/read-state-document.ts'
import { toService } from '../../src/service/mock-service.ts'
import { generateFixture } from '../../src/store/generate-fixture.ts'

const SANDBOXES = ['default', 'a', 'b']
/** More than a line holds. */
const FIXTURE = generateFixture({ pets: 1_100 })

const sandbox = fc.constantFrom(...SANDBOXES)
const petId = fc.oneof(
  fc.bigInt(1n, 1_200n),
  fc.constantFrom(0n, -1n, 9007199254740991n, 9007199254740992n, 9007199254740993n, 2n ** 63n - 1n, -(2n ** 63n)),
)
const quantity = fc.maxSafeInteger()
const status = fc.constantFrom('available' as const, 'pending' as const, 'sold' as const)

type Step = (mock: Mock) => void

const change = fc.tuple(sandbox, petId, quantity, status).map(
  ([name, id, value, next]): Step =>
    (mock) => {
      const { inventory } = mock.sandbox(name)
      if (inventory.get(id) === undefined) inventory.add({ petId: id, quantity: value, status: next })
      else inventory.set(id, { quantity: value, status: next })
    },
)
const remove = fc.tuple(sandbox, petId).map(
  ([name, id]): Step =>
    (mock) =>
      void mock.sandbox(name).inventory.remove(id),
)
const removeMany = fc.tuple(sandbox, fc.nat(600)).map(
  ([name, count]): Step =>
    (mock) => {
      for (let id = 1; id <= count; id += 1) mock.sandbox(name).inventory.remove(id)
    },
)
const changeMany = fc.tuple(sandbox, fc.nat(700), quantity).map(
  ([name, count, value]): Step =>
    (mock) => {
      const { inventory } = mock.sandbox(name)
      for (const item of inventory.list().slice(0, count)) inventory.set(item.petId, { quantity: value })
    },
)
const load = fc.tuple(sandbox, fc.constantFrom('empty', 'default', 'int64-edges')).map(
  ([name, fixture]): Step =>
    (mock) =>
      mock.sandbox(name).load(fixture),
)
const copy = fc.tuple(sandbox, sandbox).map(
  ([from, to]): Step =>
    (mock) =>
      mock.sandbox(to).restore(mock.sandbox(from).snapshot()),
)
const reset = sandbox.map(
  (name): Step =>
    (mock) =>
      mock.sandbox(name).reset(),
)
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: change },
    { weight: 4, arbitrary: remove },
    removeMany,
    changeMany,
    load,
    copy,
    reset,
  ),
  { maxLength: 25 },
)

describe('exportState and importState', () => {
  test('bring every list back, byte for byte, in a mock of the same fixture and in one of another', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const mock = createMock({ fixture: FIXTURE })
        for (const step of taken) step(mock)
        const lists = readLists(mock)
        const text = mock.exportState()
        const again = createMock({ fixture: FIXTURE })
        again.importState(text)
        expect(readLists(again)).toEqual(lists)
        expect(again.exportState()).toBe(text)
        expect(readChanges(again)).toEqual(readChanges(mock))

        const elsewhere = createMock({ fixture: 'low-stock' })
        elsewhere.importState(text)
        const held = SANDBOXES.filter((name) => text.includes(`{"sandbox":"${name}"`))
        expect(held).toContain('default')
        expect(readLists(elsewhere, held)).toEqual(readLists(mock, held))
        elsewhere.reset()
        expect(elsewhere.inventory.list()).toEqual(createMock({ fixture: 'low-stock' }).inventory.list())
      }),
      { numRuns: 60 },
    )
  })

  test('go on from where they were: what is changed after an import is what is changed without one', () => {
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        const mock = createMock({ fixture: FIXTURE })
        for (const step of before) step(mock)
        const again = createMock({ fixture: FIXTURE })
        again.importState(mock.exportState())
        for (const step of after) {
          step(mock)
          step(again)
        }
        expect(readLists(again)).toEqual(readLists(mock))
      }),
      { numRuns: 30 },
    )
  })

  test('give the same text again where nobody looked at a sandbox meanwhile', () => {
    const mock = createMock({ fixture: FIXTURE })
    mock.inventory.set(7, { quantity: 77 })
    mock.inventory.remove(8)
    mock.sandbox('a').inventory.remove(9)
    mock.sandbox('a').inventory.add({ petId: 9, quantity: 99, status: 'sold' })
    mock.sandbox('a').inventory.add({ petId: 0, quantity: 1, status: 'sold' })
    const again = createMock({ fixture: FIXTURE })
    again.importState(mock.exportState())
    expect(SANDBOXES.slice(0, 2).map((name) => toService(again).sandboxes.open(name).state.changes)).toEqual([2, 2])
    expect(SANDBOXES.slice(0, 2).map((name) => toService(again).sandboxes.open(name).state.size)).toEqual([
      1_099, 1_101,
    ])
    expect(again.exportState()).toBe(mock.exportState())
  })

  test('a hundred sandboxes with one change each cost the seed once and their changes', () => {
    const mock = createMock({ fixture: FIXTURE })
    const seed = mock.exportState().length
    for (let index = 0; index < 100; index += 1) mock.sandbox(`s${index}`).inventory.set(7, { quantity: index })
    expect(mock.exportState().length).toBeLessThan(seed + 100 * 80)
  })

  test('a fixture that sandboxes share is written once, and shared again', () => {
    const mock = createMock()
    mock.sandbox('a').load(FIXTURE)
    mock.sandbox('b').restore(mock.sandbox('a').snapshot())
    const text = mock.exportState()
    expect(text.match(/"seed":"/g)).toHaveLength(2)
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
    const mock = createMock({ fixture: FIXTURE, fixtureName: 'one.json' })
    const again = createMock({ fixture: FIXTURE, fixtureName: 'two.json' })
    mock.inventory.set(1, { quantity: 77 })
    again.importState(mock.exportState())
    expect(again.inventory.get(1)?.quantity).toBe(77)
    expect(toService(again).sandboxes.default.state.seed).toBe(toService(again).sandboxes.seed)
  })
})

describe('a state that comes in pieces', () => {
  const read = (text: string, length: number): Mock => {
    const mock = createMock({ fixture: FIXTURE })
    const reader = createStateReader({ sandboxes: toService(mock).sandboxes, origin: 'state' })
    for (let start = 0; start < text.length; start += length) reader.push(text.slice(start, start + length))
    reader.finish()
    return mock
  }

  test.each([1, 7, 100, 4096, 1_000_000])(
    'of %i characters is the same state, in both versions',
    { timeout: 60_000 },
    (length) => {
      const mock = createMock({ fixture: FIXTURE })
      mock.inventory.set(7, { quantity: 77 })
      mock.sandbox('a').inventory.remove(8)
      mock.sandbox('b').inventory.remove(9)
      expect(read(mock.exportState(), length).exportState()).toBe(mock.exportState())
      expect(readLists(read(writeVersion1(mock), length))).toEqual(readLists(mock))
    },
  )
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

describe('a state of version 1', () => {
  test('is the same pets in the same order', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const mock = createMock({ fixture: FIXTURE })
        for (const step of taken) step(mock)
        const again = createMock({ fixture: FIXTURE })
        again.importState(writeVersion1(mock))
        expect(readLists(again)).toEqual(readLists(mock))
      }),
      { numRuns: 30 },
    )
  })
})

describe('a text that is no state', () => {
  const [version, seed, box, end] = ['{"version":2}', '{"seed":"s"}', '{"sandbox":"default","seed":0}', '{"end":1}']
  const [pets, changed] = ['{"pets":[[1,2,"sold"]]}', '{"changed":[[0,3]]}']

  test.each([
    ['', 'state: is not JSON: '],
    [
      '{"version":3,"more":true}\n{"x":1}',
      'state: version: must be 1 or 2, got 3 (number); the file is from a later release',
    ],
    ['{"version":2,"x":1}', 'state: line 1: "x" (string) is not allowed beside version'],
    [version, 'state: is incomplete: it ends after line 1'],
    [[version, seed, pets, box].join('\n'), 'state: is incomplete: it ends after line 4'],
    [[version, '{"seed":"s"', end].join('\n'), 'state: line 2: is not JSON: '],
    [[version, '[1]'].join('\n'), 'state: line 2: must be a JSON object, got [1] (array)'],
    [[version, '{"x":1}'].join('\n'), 'state: line 2: must begin with version, seed, pets, sandbox, removed, changed'],
    [[version, version].join('\n'), 'state: line 2: version: must be in the first line'],
    [[version, '{"seed":1}'].join('\n'), 'state: line 2: seed: must be the name of a fixture, got 1 (number)'],
    [[version, pets].join('\n'), 'state: line 2: pets: must follow a seed'],
    [[version, box].join('\n'), 'state: line 2: seed: must be the index of a seed, got 0 (number)'],
    [[version, seed, '{"pets":1}'].join('\n'), 'state: line 3: pets: must be an array, got 1 (number)'],
    [
      [version, seed, '{"pets":[{}]}'].join('\n'),
      'state: line 3: pets[0]: must be an array of petId, quantity and status',
    ],
    [[version, seed, '{"pets":[[1.5,2,"sold"]]}'].join('\n'), 'state: line 3: pets[0]: petId must be an int64'],
    [
      [version, seed, '{"pets":[[9007199254740993,2,"sold"]]}'].join('\n'),
      'state: line 3: pets[0]: petId must be an int64',
    ],
    [[version, seed, '{"pets":[[1,"2","sold"]]}'].join('\n'), 'state: line 3: pets[0]: quantity must be an integer'],
    [
      [version, seed, '{"pets":[[1,2,"gone"]]}'].join('\n'),
      'state: line 3: pets[0]: status must be one of available, pending, sold',
    ],
    [[version, seed, pets, pets].join('\n'), 'state: line 4: pets[0]: 1 is a duplicate'],
    [[version, seed, pets, '{"removed":[0]}'].join('\n'), 'state: line 4: removed: must follow a sandbox'],
    [[version, seed, pets, box, pets].join('\n'), 'state: line 5: pets: must follow a seed'],
    [
      [version, seed, pets, box, '{"removed":[1]}'].join('\n'),
      'state: line 5: removed[0]: must be the position of a seed pet',
    ],
    [
      [version, seed, pets, box, '{"removed":["0"]}'].join('\n'),
      'state: line 5: removed[0]: must be the position of a seed pet',
    ],
    [
      [version, seed, pets, box, '{"removed":[0,0]}'].join('\n'),
      'state: line 5: removed[1]: must be the position of a seed pet',
    ],
    [[version, seed, pets, box, changed, '{"removed":[0]}'].join('\n'), 'state: line 6: removed: must come before the'],
    [
      [version, seed, pets, box, '{"removed":[0]}', changed].join('\n'),
      'state: line 6: changed[0]: must be the position',
    ],
    [[version, seed, pets, box, '{"changed":[[-1,2,"sold"]]}'].join('\n'), 'state: line 5: changed[0]: must be the'],
    [
      [version, seed, pets, box, '{"changed":[[0,null,"sold"]]}'].join('\n'),
      'state: line 5: changed[0]: quantity must be an',
    ],
    [
      [version, seed, pets, box, '{"added":[[1,2,"sold"]]}'].join('\n'),
      'state: line 5: added[0]: 1 is in the seed and was',
    ],
    [
      [version, seed, pets, box, '{"added":[[7,2,"sold"],[7,2,"sold"]]}'].join('\n'),
      'state: line 5: added[1]: 7 is a duplicate',
    ],
    [[version, seed, pets, box, box].join('\n'), 'state: line 5: sandbox: default is a duplicate'],
    [
      [version, seed, pets, '{"sandbox":"a b","seed":0}'].join('\n'),
      'state: line 4: sandbox: must be the name of a sandbox',
    ],
    [[version, seed, pets, box, '{"end":2}'].join('\n'), 'state: line 5: end: there are 1 sandboxes, not 2 (number)'],
    [[version, seed, pets, box, end, box].join('\n'), 'state: line 6: comes after the end'],
    [`${version}\n${'x'.repeat(1_000_001)}`, 'state: line 1: is too long'],
    [
      [version, seed, pets, box, '{"changed":[[0]]}'].join('\n'),
      'state: line 5: changed[0]: must be an array of a position, a quantity',
    ],
    [[version, seed, pets, box, '{"changed":[[0,1,"sold",2]]}'].join('\n'), 'state: line 5: changed[0]: must be an'],
    ['null', 'state: this is not a state file: it has no version'],
    ['{"version":7,\n"sandboxes":{}}', 'state: version: must be 1 or 2, got 7 (number)'],
    ['{"version":1}', 'state: sandboxes: must be an object'],
    ['{"version":1,"sandboxes":null}', 'state: sandboxes: must be an object'],
    ['{"version":1,"sandboxes":{"a b":{"inventory":[]}}}', 'state: sandboxes: "a b" (string) is not a sandbox name'],
  ])('%#: %.60s is refused, and everything stays', (text, message) => {
    const mock = createMock()
    mock.inventory.set(1, { quantity: 77 })
    const before = mock.exportState()
    expect(() => mock.importState(text)).toThrow(message)
    expect(mock.exportState()).toBe(before)
  })

  test('blank lines and lines of Windows are no fault', () => {
    const mock = createMock()
    mock.importState([version, '', seed, pets, box, end, ''].join('\r\n'))
    expect(mock.inventory.list()).toEqual([{ petId: 1, quantity: 2, status: 'sold' }])
  })
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

function writeVersion1(mock: Mock): string {
  const states = SANDBOXES.map((name) => `"${name}":{"inventory":${writeList(mock.sandbox(name))}}`)
  return `{"version":1,"sandboxes":{${states.join(',\n')}}}\n`
}
