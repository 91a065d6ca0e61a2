import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/contract/operations.gen.ts'
import { BODY_TOO_LARGE } from '../../src/http/wire-request.ts'
import { createJsonResponse } from '../../src/http/wire-response.ts'
import { ERROR_ORDERS, type ErrorOrder, type Profile } from '../../src/inventory/profile.ts'
import {
  defineOperation,
  hasSpecifiedResponse,
  LARGEST_UPDATE,
  matchOperation,
  OPERATION_LIST,
  type Operation,
  type OperationRun,
  runOperation,
} from '../../src/operations/operations.ts'
import { parseOptions } from '../../src/service/mock-options.ts'
import { InventoryState } from '../../src/store/inventory-state.ts'
import { Seeds } from '../../src/store/seed.ts'

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** Echoes what it was given. */
const ECHO = defineOperation('updateInventory', {
  parse: (request) => request,
  resolve: ({ petId, body }) => {
    const text = { petId, body: Object.entries(body).map(([name, value]) => `${name}: ${value}`) }
    return createJsonResponse(200, JSON.stringify(text))
  },
})
const UPDATE = find('PATCH', '/inventory/1')

function find(method: string, path: string): Operation {
  const match = matchOperation(method, path)
  return match.kind === 'found' ? match.route : expect.fail('no such operation')
}

/** Runs an operation, a good update of pet 1 by default. */
function run(
  operation: Operation,
  {
    petId = '1',
    contentType = 'application/json' as string | null,
    body = encode('{"quantity":5}') as OperationRun['body'],
    hasKey = true,
    profile = {} as Profile,
    state = new InventoryState(new Seeds('default').initial),
  } = {},
) {
  const { rules } = parseOptions({ profile })
  const response = runOperation({
    operation,
    petId: operation.petIdParameter && petId,
    mediaType: contentType ?? undefined,
    body,
    state,
    rules,
    auth: { kind: hasKey ? 'valid' : 'missing' },
  })
  const read = () => {
    const { status, body: bytes } = response
    return { ...JSON.parse(new TextDecoder().decode(bytes)), status } as { status: number; message?: string }
  }
  return { response, read, state }
}

describe('a request is read', () => {
  test('with the id of its path and the JSON of its body, numbers exact', () => {
    const { read } = run(ECHO, { petId: '7', body: encode('{"quantity":9007199254740993}') })
    expect(read()).toEqual({ status: 200, petId: '7', body: ['quantity: 9007199254740993'] })
    expect(LARGEST_UPDATE).toBe(65_536)
  })

  test.each<[Parameters<typeof run>[1], string]>([
    [{ petId: '07', contentType: 'text/plain' }, 'without leading zeros, got "07"'],
    [{ petId: '' }, 'without leading zeros, got ""'],
    [{ contentType: 'text/plain' }, 'Content-Type must be application/json, got "text/plain"'],
    [{ contentType: null }, 'and none was sent'],
    [{ contentType: '' }, 'Content-Type must be application/json, got ""'],
    [{ contentType: 'application/jsonp' }, 'Content-Type must be application/json, got "application/jsonp"'],
    [{ contentType: 'x application/json' }, 'Content-Type must be application/json, got "x application/json"'],
    [{ body: BODY_TOO_LARGE }, 'The body must be at most 65536 bytes'],
    [{ body: Uint8Array.of(0x22, 0xff, 0x22) }, 'not valid UTF-8'],
    [{ body: encode('{') }, 'not valid JSON'],
    [{ body: encode('') }, 'The body must be a JSON object: it is missing'],
    [{ body: encode('1e400') }, 'The body must be a JSON object, got 1e400 (number)'],
    [{ body: encode('null') }, 'The body must be a JSON object, got null'],
    [{ body: encode('[]') }, 'The body must be a JSON object, got [] (array)'],
    [{ body: encode('['.repeat(1001) + ']'.repeat(1001)) }, 'not valid JSON'],
    [{ body: encode('{"quantity":"5"}') }, 'quantity must be an integer, got "5"'],
  ])('or refused: %o', (given, message) => {
    const refused = run(UPDATE, given)
    const { status, ...error } = refused.read()
    expect([status, error.message]).toEqual([400, expect.stringContaining(message)])
  })

  test('of a media type with space around it', () => {
    for (const mediaType of ['application/json ; charset=utf-8', ' application/json;'])
      expect(run(UPDATE, { contentType: mediaType }).read()).toMatchObject({ status: 200, petId: 1, quantity: 5 })
  })
})

describe('an operation', () => {
  test('without a body in the contract ignores one', () => {
    const { response } = run(find('GET', '/inventory'), { contentType: 'text/plain', body: BODY_TOO_LARGE })
    expect(response.status).toBe(200)
  })

  test('whose response the specification does not show says how to define it, whatever the request', () => {
    const { read } = run(find('GET', '/pets/7'), { petId: 'abc', contentType: 'text/plain' })
    const { status, message } = read()
    expect(status).toBe(501)
    expect(message).toContain('The specification names GET /pets/{petId}')
    expect(message).toContain("mock.use(http.get('*/pets/:petId', resolver))")
    expect(message).toContain('petstore-mock serve --handlers FILE')
    expect(message).toContain('petstore-mock serve --stubs FILE')
    const order = '404, 400, 401'
    expect(run(find('GET', '/pets/7'), { hasKey: false, profile: { order } }).read()).toMatchObject({
      status: 401,
    })
  })
})

test.each<[Profile, number]>([
  [{}, 401],
  [{ malformedPetId: 404, order: '400, 401, 404' }, 400],
  [{ malformedPetId: 404, order: '404, 401, 400' }, 404],
  [{ order: '404, 401, 400' }, 401],
])('by the profile %j, a malformed petId beside all other errors is a %i', (profile, status) => {
  const given = { petId: 'abc', body: encode('{}'), hasKey: false, profile }
  expect(run(UPDATE, given).read()).toMatchObject({ status })
})

describe.each(ERROR_ORDERS)('in the order %s', (order: ErrorOrder) => {
  const errors = {
    401: { hasKey: false },
    400: { body: encode('{}') },
    404: { petId: '404' },
  }
  const statuses = order.split(', ').map(Number) as (keyof typeof errors)[]

  test('each error has its status, and without one the update is stored', () => {
    for (const status of statuses)
      expect(run(UPDATE, { ...errors[status], profile: { order } }).read()).toMatchObject({ status })
    const { read, state } = run(UPDATE, { profile: { order } })
    expect(read()).toMatchObject({ status: 200 })
    expect(state.get('1')).toMatchObject({ quantity: 5 })
  })

  test('the first of two or three errors decides, and nothing is stored', () => {
    for (const [first, second] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const [status, other] = [statuses[first], statuses[second]] as [400, 401]
      const { read, state } = run(UPDATE, { ...errors[status], ...errors[other], profile: { order } })
      expect(read()).toMatchObject({ status })
      expect(state.changes).toBe(0)
    }
    expect(run(UPDATE, { ...errors[401], ...errors[400], ...errors[404], profile: { order } }).read()).toMatchObject({
      status: statuses[0],
    })
  })

  test('a malformed petId is a 400, never an unknown pet, unless the profile says so', () => {
    const given = { petId: 'abc', profile: { order } }
    expect(run(UPDATE, given).read()).toMatchObject({ status: 400 })
    const lenient: Profile = { order, malformedPetId: 404 }
    for (const petId of ['abc', '9223372036854775808'])
      expect(run(UPDATE, { petId, profile: lenient }).read()).toMatchObject({ status: 404 })
  })
})

test('a rounded id is told which pet was meant', () => {
  const state = new InventoryState(new Seeds('int64-edges').initial)
  const message = (petId: string) => run(UPDATE, { petId, state }).read().message
  expect(message('404')).toBe('There is no pet 404')
  expect(message('9007199254740996')).toBe('There is no pet 9007199254740996')
  state.put({ petId: '9007199254740997', quantity: 1, status: 'sold' })
  expect(message('9007199254740996')).toBe(
    'There is no pet 9007199254740996, but there is 9007199254740997, which response.json() rounds. Read ids as text or bigint',
  )
  // Two of the largest int64, as JavaScript writes their number.
  expect(message('9223372036854776000')).toContain('(string), but there is 9223372036854775806, which')
  expect(message('abc')).not.toContain('but there is')
})

test('the operations are those of the contract', () => {
  expect(OPERATION_LIST).toMatchObject(OPERATIONS)
  expect(matchOperation('GET', '/pets/7')).toMatchObject({ kind: 'found', route: { id: 'getPet' } })
})

test.each([
  ['GET', '/inventory', true],
  ['DELETE', '/inventory', true],
  ['GET', '/pets/7', false],
  ['DELETE', '/pets/7', false],
  ['GET', '/nothing', false],
])('the specification defines the response of %s %s: %s', (method, path, isSpecified) => {
  expect(hasSpecifiedResponse(method, path)).toBe(isSpecified)
})

test('a 401 names the key', () => {
  expect(run(UPDATE, { hasKey: false }).read().message).toBe('API key is missing or invalid')
})
