import { describe, expect, test } from 'vitest'
import { parseExactJson } from '../../src/http/exact-json.ts'
import type { JournalEntry } from '../../src/sandbox/journal-entry.ts'
import { contains, type JournalFilter, parseJournalFilter } from '../../src/sandbox/journal-filter.ts'

describe('a filter by headers', () => {
  test('matches an exchange that has all of them, by names in any case', () => {
    expect(isFound({ headers: { Accept: '*/*', 'X-Trace': '7' } })).toBe(true)
    expect(isFound({ headers: { accept: '*/*', 'x-trace': '8' } })).toBe(false)
    expect(isFound({ headers: { accept: '*/*', missing: '7' } })).toBe(false)
    expect(isFound({ headers: {} })).toBe(true)
  })

  test('can have an asymmetric matcher for a value', () => {
    expect(isFound({ headers: { accept: expect.stringContaining('*') } })).toBe(true)
    expect(isFound({ headers: { accept: expect.stringContaining('html') } })).toBe(false)
    expect(isFound({ headers: { Authorization: expect.any(String) } })).toBe(true)
  })

  test('takes undefined for a header that the request did not have, also for one that the journal hides', () => {
    expect(isFound({ headers: { missing: undefined } })).toBe(true)
    expect(isFound({ headers: { cookie: undefined } })).toBe(true)
    expect(isFound({ headers: { authorization: undefined } })).toBe(false)
  })

  test('finds an inherited name only if a header has it', () => {
    expect(isFound({ headers: { constructor: expect.anything() } })).toBe(false)
  })

  test('finds a hidden value as the journal shows it', () => {
    expect(isFound({ headers: { authorization: 'Bearer (hidden)' } })).toBe(true)
  })

  test.each<[Readonly<Record<string, unknown>>, string, string]>([
    [{ authorization: 'Bearer demo-key' }, 'authorization', 'Bearer (hidden)'],
    [{ Host: 'user:password@pets.example' }, 'Host', '(hidden)@pets.example'],
    [{ accept: '*/*', 'X-API-Key': 'demo-key' }, 'X-API-Key', '(hidden)'],
  ])('%o is refused: the journal does not have this value', (headers, name, shown) => {
    expect(() => parseJournalFilter({ headers })).toThrow(
      expect.objectContaining({
        code: 'INVALID_FILTER',
        message: `Failed to search the journal: headers cannot have this ${name}: the journal hides credentials. Search for "${shown}", or look in the sandbox of the API key.`,
      }),
    )
  })

  test.each([
    [{ 'x-trace': 7 }, 'x-trace, got 7 (number)'],
    [{ accept: '*/*', 'X-Trace': null }, 'X-Trace, got null'],
    [{ 'x-trace': ['7'] }, 'x-trace, got ["7"] (array)'],
    [{ 'x-trace': /7/ }, 'x-trace, got {} (RegExp)'],
  ])('%o is refused: no header has this value', (headers, shown) => {
    expect(() => parseJournalFilter({ headers })).toThrow(
      expect.objectContaining({
        code: 'INVALID_FILTER',
        message: `Failed to search the journal: headers must have a string or an asymmetric matcher for ${shown}.`,
      }),
    )
  })
})

describe('a filter', () => {
  test.each<[JournalFilter, boolean]>([
    [{ operation: 'updateInventory' }, true],
    [{ operation: 'listInventory' }, false],
    [{ petId: 1 }, true],
    [{ petId: 2 }, false],
    [{ status: 200 }, true],
    [{ status: 404 }, false],
    [{ status: '2xx' }, true],
    [{ status: '4xx' }, false],
    [{ method: 'PATCH' }, true],
    [{ method: 'GET' }, false],
    [{ path: '/inventory/{id}' }, true],
    [{ path: '/inventory/1' }, true],
    [{ path: '/inventory/2' }, false],
    [{ path: '/inventory' }, false],
    [{ after: 6 }, true],
    [{ after: 7 }, false],
    [{ body: { quantity: 5 } }, true],
    [{ body: { quantity: 6 } }, false],
    [{ operation: 'updateInventory', petId: 2 }, false],
    [{ operation: 'getPet', petId: 2 }, false],
    [{ body: '{"quantity":5' }, false],
    [{ body: '5' }, false],
    [{ body: '1.00000000000000000001' }, false],
    [{ body: 'null' }, false],
  ])('%j: %s', (filter, isMatch) => {
    expect(isFound(filter)).toBe(isMatch)
  })

  test('by pet or status does not match an exchange without one', () => {
    const { petId: _, answer: __, ...entry } = ENTRY
    expect(parseJournalFilter({ petId: 1 }).matches(entry)).toBe(false)
    expect(parseJournalFilter({ status: 200 }).matches(entry)).toBe(false)
    expect(parseJournalFilter({}).matches(entry)).toBe(true)
  })

  test.each<[object, string]>([
    [{ pet: 1 }, 'pet is'],
    [{ headers: 'accept' }, 'headers must be an object of headers, got "accept" (string).'],
    [{ headers: ['accept'] }, 'headers must be an object of headers, got ["accept"] (array).'],
    [{ headers: expect.objectContaining({}) }, 'headers must be an object of headers, got ObjectContaining'],
    [{ status: 99 }, 'status must be an HTTP status, or a class of them such as 4xx, got 99 (number).'],
    [{ status: 600 }, 'status must be'],
    [{ status: '6xx' }, 'status must be'],
    [{ status: '200' }, 'status must be'],
    [{ method: 'patch' }, 'method must be one of'],
    [{ path: 'inventory' }, 'path must be a path such as'],
    [{ path: undefined }, 'path is undefined'],
    [{ after: -1 }, 'after must be the id of an exchange, got -1 (number).'],
    [{ operation: 'list' }, 'operation must be one of '],
    [{ operation: 'listInventory', petId: 1 }, 'petId cannot be used with listInventory, which does not'],
    [{ operation: 'listInventory', method: 'PATCH' }, 'method PATCH cannot be used with listInventory, which has GET'],
    [{ operation: 'listInventory', body: {} }, 'body cannot be used with listInventory, which has no'],
    [{ body: '{"quantity":5}' }, 'body must not be JSON text: pass the value itself.'],
    [{ operation: 'updateInventory', body: ' [1.0]\n' }, 'body must not be JSON text: pass the value itself.'],
    [[], 'the filter must be an object with operation, '],
  ])('%j is refused by name', (filter, message) => {
    expect(() => parseJournalFilter(filter as never)).toThrow(
      expect.objectContaining({
        code: 'INVALID_FILTER',
        message: expect.stringContaining(`Failed to search the journal: ${message}`),
      }),
    )
  })
})

describe('a JSON value contains', () => {
  test.each<[unknown, unknown, boolean]>([
    [null, null, true],
    [undefined, null, false],
    [null, {}, false],
    ['1', {}, false],
    [1, 1n, true],
    [1n, 2, false],
    [2, 1, false],
    ['1', 1, false],
    [1, '1', false],
    [{}, [], false],
    [[], {}, false],
    [[1, 2], [1, 2], true],
    [[2, 1], [1, 2], false],
    [[1], [1, 2], false],
    [{ a: 1, b: 2 }, { a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: { b: 1 } }, { a: expect.objectContaining({ b: 1 }) }, true],
    [{ a: { b: 1 } }, { a: expect.any(String) }, false],
    [parseExactJson('{"a":1}'), JSON.parse('{"__proto__":{}}'), false],
    [parseExactJson('{"a":1}'), JSON.parse('{"toString":{}}'), false],
    [parseExactJson('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}'), true],
    [{ a: [1, { b: 2, c: 3 }] }, { a: [1, { b: 2 }] }, true],
    [{ a: { '0': 1 } }, { a: [1] }, false],
    [-0, 0, true],
    [parseExactJson('9007199254740992'), 2 ** 53, true],
    [parseExactJson('9007199254740993'), 2 ** 53, false],
    [parseExactJson('1000000000000000000000'), 1e21, true],
  ])('%o: %o: %s', (value, wanted, isContained) => {
    expect(contains(value, wanted)).toBe(isContained)
  })
})

const CYCLE: { self?: unknown } = {}
CYCLE.self = CYCLE

test.each<[string, unknown]>([
  ['a promise', Promise.resolve({ quantity: 99 })],
  ['URL parameters', new URLSearchParams({ quantity: '5' })],
  ['a pattern', { name: /Rex/ }],
  ['undefined in it', { quantity: undefined }],
  ['a function', [() => 1]],
  ['a matcher of bun', { a: Object.create({ [Symbol.toStringTag]: 'ExpectAny' }) }],
  ['NaN', { deep: [{ quantity: Number.NaN }] }],
  ['an object that contains itself', CYCLE],
])('%s can never match as the body of a request, and is refused', (_, body) => {
  expect(() => parseJournalFilter({ body })).toThrow(
    expect.objectContaining({
      code: 'INVALID_FILTER',
      message: expect.stringContaining('body must be JSON, with asym'),
    }),
  )
})

test.each([
  ['operation', 'match every operation'],
  ['method', 'match every method'],
  ['path', 'match every path'],
  ['petId', 'match every pet'],
  ['status', 'match every status'],
  ['body', 'match any body'],
  ['headers', 'match any headers'],
])('%s that is undefined is refused, because leaving it out would %s', (name, effect) => {
  expect(() => parseJournalFilter({ [name]: undefined })).toThrow(`${name} is undefined. Leave it out to ${effect}.`)
})

test('a body that the journal has not whole matches nothing, and says so', () => {
  const request = { ...ENTRY.request, body: '{"quant', isCut: true }
  expect(parseJournalFilter({ body: { quantity: 5 } }).explain({ ...ENTRY, request })).toEqual([
    expect.stringContaining('its body is not all in the journal: it is long, or its client got'),
  ])
})

const ENTRY: JournalEntry = {
  id: 7,
  time: '2026-01-01T00:00:00.000Z',
  duration: 1,
  sandbox: 'default',
  operation: 'updateInventory',
  petId: 1,
  resource: '/inventory/1',
  request: {
    method: 'PATCH',
    path: '/v1/inventory/1',
    headers: { accept: '*/*', 'x-trace': '7', authorization: 'Bearer (hidden)' },
    body: '{"quantity":5}',
  },
  answer: { status: 200, headers: {}, body: '' },
}

function isFound(filter: JournalFilter): boolean {
  return parseJournalFilter(filter).matches(ENTRY)
}
