import { describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { createStateReader } from '../../src/sandbox/read-state-document.ts'
import { writeStateDocument } from '../../src/sandbox/state-document.ts'
import { toService } from '../../src/service/mock-service.ts'

const VERSION = '{"version":2}'
const SEED = '{"seed":"s"}'
const PETS = '{"pets":[[1,2,"sold"]]}'
const BOX = '{"sandbox":"default","seed":0}'
const END = '{"end":1}'

/** The lines of a state up to its sandbox, and these. */
const withSandbox = (...lines: readonly string[]): string => [VERSION, SEED, PETS, BOX, ...lines].join('\n')

describe('a state is written', () => {
  test('with an id as a number where a number holds it, and as a string beyond', () => {
    const ids = ['999999999999999', '9007199254740991', '-9007199254740991', '9007199254740992', '-9007199254740992']
    const inventory = ids.map((id) => ({ petId: BigInt(id), quantity: 1, status: 'sold' as const }))
    expect(createMock({ fixture: { inventory }, fixtureName: 'ids' }).exportState().split('\n')).toEqual([
      VERSION,
      '{"seed":"ids"}',
      '{"pets":[[999999999999999,1,"sold"],[9007199254740991,1,"sold"],[-9007199254740991,1,"sold"],["9007199254740992",1,"sold"],["-9007199254740992",1,"sold"]]}',
      BOX,
      END,
      '',
    ])
  })

  test('with a status only where it changed, removed pets first, and only the sandboxes that differ', () => {
    const mock = createMock({ fixture: 'low-stock' })
    const [first, second, third] = mock.inventory.list().map(({ petId }) => petId)
    const { inventory } = mock.sandbox('a')
    mock.sandbox('same')
    inventory.set(first as number, { quantity: 77 })
    inventory.set(second as number, { quantity: 78, status: 'pending' })
    inventory.remove(third as number)
    inventory.add({ petId: 1000, quantity: 1, status: 'sold' })
    const lines = mock.exportState().split('\n')
    expect(lines.slice(lines.indexOf(BOX))).toEqual([
      BOX,
      '{"sandbox":"a","seed":0}',
      '{"removed":[2]}',
      expect.stringMatching(/^\{"changed":\[\[0,77\],\[1,78(?:,"pending")?\]\]\}$/),
      '{"added":[[1000,1,"sold"]]}',
      '{"end":2}',
      '',
    ])
  })

  test('with 512 pets in a line', () => {
    const toLines = (pets: number): number[] => {
      const inventory = Array.from({ length: pets }, (_, petId) => ({ petId, quantity: 1, status: 'sold' as const }))
      const lines = createMock({ fixture: { inventory } }).exportState().split('\n')
      return lines.filter((line) => line.startsWith('{"pets"')).map((line) => JSON.parse(line).pets.length)
    }
    expect([toLines(0), toLines(511), toLines(512), toLines(513)]).toEqual([[], [511], [512], [512, 1]])
  })
})

describe('a state is read', () => {
  test.each([
    ['with space in its first line', `\t{ "version" : 2 } \r\n${withSandbox(END).slice(VERSION.length + 1)}`],
    ['with space before it', ` ${withSandbox(END)}`],
    ['with blank lines after its end', `${withSandbox(END)}\n\n \t\n`],
    ['with a line of a million blanks', withSandbox(' '.repeat(1_000_000), END)],
  ])('%s', (_, text) => {
    const mock = createMock()
    mock.importState(text)
    expect(mock.inventory.list()).toEqual([{ petId: 1, quantity: 2, status: 'sold' }])
  })

  test('with a line of a million characters that comes in pieces, and no longer one', () => {
    const { sandboxes } = toService(createMock())
    const start = () => {
      const reader = createStateReader({ sandboxes, origin: 'state' })
      reader.push(`${withSandbox()}\n`)
      reader.push(' '.repeat(1_000_000))
      return reader
    }
    expect(() => start().push(' ')).toThrow('state: line 4: is too long for a state file')
    const reader = start()
    reader.push(`\n${END}`)
    expect(reader.finish().sandboxes).toBe(1)
  })

  test('with the count of its sandboxes and of what differs from their seeds', () => {
    const mock = createMock()
    mock.inventory.set(1, { quantity: 77 })
    mock.sandbox('a').inventory.remove(1)
    mock.sandbox('a').inventory.remove(2)
    const summary = { sandboxes: 2, changes: 3 }
    expect(writeStateDocument(toService(mock).sandboxes).summary).toEqual(summary)
    const reader = createStateReader({ sandboxes: toService(createMock()).sandboxes, origin: 'state' })
    reader.push(mock.exportState())
    expect(reader.finish()).toEqual(summary)
  })

  test('of version 1 as a seed without changes, where it shares no pet with the seed of the mock', () => {
    const reader = createStateReader({ sandboxes: toService(createMock()).sandboxes, origin: 'state' })
    const inventory = Array.from({ length: 20 }, (_, index) => ({ petId: 1000 + index, quantity: 1, status: 'sold' }))
    reader.push(JSON.stringify({ version: 1, sandboxes: { default: { inventory } } }))
    expect(reader.finish()).toEqual({ sandboxes: 1, changes: 0 })
  })

  test('with a quantity of -0 as 0', () => {
    const mock = createMock()
    mock.importState(withSandbox('{"changed":[[0,-0]]}', END))
    expect(mock.inventory.get(1)?.quantity).toBe(0)
  })

  test('with the status of a change, or that of the seed', () => {
    const mock = createMock()
    mock.importState(withSandbox('{"changed":[[0,5]]}', END))
    expect(mock.inventory.get(1)).toEqual({ petId: 1, quantity: 5, status: 'sold' })
    mock.importState(withSandbox('{"changed":[[0,5,"pending"]]}', END))
    expect(mock.inventory.get(1)).toEqual({ petId: 1, quantity: 5, status: 'pending' })
  })

  test('with a pet that was removed and added again', () => {
    const mock = createMock()
    mock.importState(withSandbox('{"removed":[0]}', '{"added":[[1,7,"sold"]]}', END))
    expect(mock.inventory.list()).toEqual([{ petId: 1, quantity: 7, status: 'sold' }])
  })

  test.each([
    ['{"version":12}\n', 'version: must be 1 or 2, got 12 (number); the file is from a later release'],
    ['[{"version":2}\n]', 'this is not a state file: it has no version'],
    [
      withSandbox('{"toString":1}'),
      'line 5: must begin with version, seed, pets, sandbox, removed, changed, added, end,',
    ],
    [withSandbox('{}'), 'line 5: must begin with version, seed, pets, sandbox, removed, changed, added, end, got {}'],
    [withSandbox('{"sandbox":5,"seed":0}'), 'line 5: sandbox: must be the name of a sandbox, got 5 (number)'],
    [withSandbox('{"sandbox":"a","seed":"0"}'), 'line 5: seed: must be the index of a seed, got "0" (string)'],
    [withSandbox('{"sandbox":"a","seed":1}'), 'line 5: seed: must be the index of a seed, got 1 (number)'],
    [withSandbox(SEED, '{"removed":[0]}'), 'line 6: removed: must follow a sandbox'],
    [withSandbox(SEED, '{"changed":[[0,1]]}'), 'line 6: changed: must follow a sandbox'],
    [withSandbox(SEED, '{"added":[[5,1,"sold"]]}'), 'line 6: added: must follow a sandbox'],
    [withSandbox('{"removed":5}'), 'line 5: removed: must be an array, got 5 (number)'],
    [withSandbox('{"changed":5}'), 'line 5: changed: must be an array, got 5 (number)'],
    [withSandbox('{"added":5}'), 'line 5: added: must be an array, got 5 (number)'],
    [withSandbox('{"added":[[5,1,"sold"]]}', '{"removed":[0]}'), 'line 6: removed: must come before the other changes'],
    [withSandbox('{"changed":[[0,1,"gone"]]}'), 'line 5: changed[0]: status must be one of available, pending, sold'],
    [withSandbox('{"changed":[[0,9007199254740992]]}'), 'line 5: changed[0]: quantity must be an integer'],
    [withSandbox('{"changed":[5]}'), 'line 5: changed[0]: must be an array of a position, a quantity and'],
    [withSandbox('{"added":[[5,1]]}'), 'line 5: added[0]: must be an array of petId, quantity and status, got [5,1]'],
    [withSandbox('{"added":[[5,1.5,"gone"]]}'), /line 5: added\[0\]: quantity must be .*; status must be one of/],
    [[VERSION, '{"seed":"s"', END].join('\n'), /line 2: is not JSON: ./],
    ['{"version":1,"sandboxes":5}', 'sandboxes: must be an object'],
    [
      '{"version":1,"sandboxes":{"a":{"inventory":[{"petId":1.5,"quantity":1,"status":"sold"}]}}}',
      'sandboxes.a: inventory[0].petId: must be an int64',
    ],
  ])('%#: not if it is %.80s', (text, message) => {
    const mock = createMock()
    const before = mock.exportState()
    expect(() => mock.importState(text)).toThrow(message)
    expect(mock.exportState()).toBe(before)
  })
})
