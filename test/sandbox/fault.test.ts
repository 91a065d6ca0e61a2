import { describe, expect, test } from 'vitest'
import type { WireResponse } from '../../src/http/wire-response.ts'
import { createFaultResponse, type Fault, type FaultResponse, parseFault } from '../../src/sandbox/fault.ts'
import { parseOptions } from '../../src/service/mock-options.ts'

const REFUSED = 'Failed to add a fault: '

describe('a fault is read', () => {
  test.each<[Fault]>([
    [{ status: 204 }],
    [{ status: 205 }],
    [{ status: 300 }],
    [{ status: 599 }],
    [{ statuses: [200, 400, 599] }],
    [{ status: 503, probability: 0 }],
    [{ status: 503, probability: 1 }],
    [{ rateLimit: { requests: 0, window: 1 } }],
    [{ status: 503, times: 1, after: 0, every: 1, retryAfter: 0 }],
    [{ statuses: [503], retryAfter: 1 }],
    [{ rateLimit: { requests: 1, window: 1 }, status: 503 }],
    [{ operation: 'updateInventory', error: 'reset' }],
  ])('with the bounds of its properties, and those that go together: %j', (fault) => {
    expect(parseFault(fault)).toEqual(fault)
  })

  test.each<[unknown, string]>([
    [{ status: 199 }, 'status must be a whole number from 200 to 599, got 199 (number).'],
    [{ statuses: [399] }, 'statuses[0] must be 200 or a whole number from 400 to 599, got 399 (number).'],
    [{ statuses: [600] }, 'statuses[0] must be 200 or'],
    [{ status: 503, probability: -0.1 }, 'probability must be a number from 0 to 1, got -0.1 (number).'],
    [{ status: 503, probability: 1.1 }, 'probability must be a number from 0 to 1'],
    [{ status: 503, retryAfter: -1 }, 'retryAfter must be a whole number of seconds, got -1 (number).'],
    [{ rateLimit: { requests: -1, window: 1 } }, 'rateLimit.requests must be an integer of 0 or more'],
    // Properties that exclude each other.
    [{ status: 299 }, 'status 299 needs a body. To let a request through, use 200 in a sequence'],
    [{ statuses: [503], error: 'reset' }, 'statuses excludes status, error and rateLimit.'],
    [{ statuses: [503], rateLimit: { requests: 1, window: 1 } }, 'statuses excludes status, error and rateLimit.'],
    [{ rateLimit: { requests: 1, window: 1 }, retryAfter: 1 }, 'rateLimit excludes error and retryAfter.'],
    [{ statuses: [503], body: {} }, 'body requires status or rateLimit.'],
    [{ error: 'reset', retryAfter: 1 }, 'retryAfter requires status or statuses.'],
    [{ error: 'reset', headers: {} }, 'headers requires status, statuses or rateLimit.'],
    [{ status: 204, body: {} }, 'it has a body, which a response with the status 204 cannot have.'],
    [{ rateLimit: { requests: 1, window: 1 }, status: 204, body: {} }, 'it has a body, which'],
    [{ error: 'reset', bytesPerSecond: 10 }, 'error excludes status and bytesPerSecond'],
    [{ bytesPerSecond: 0 }, 'bytesPerSecond must be an integer of 1 or more'],
    [{}, 'it needs status'],
    [{ status: 503, error: 'reset' }, 'error excludes status'],
    [{ state: 503 }, 'state is'],
    [{ statuses: [] }, 'statuses lets every request through'],
    [{ statuses: 503 }, 'statuses must be an array of statuses'],
    [{ statuses: [200, 200] }, 'statuses lets every request through'],
    [{ rateLimit: { requests: 1 } }, 'rateLimit.window'],
    [{ rateLimit: { requests: 1, window: 0 } }, 'rateLimit.window'],
    [{ error: 'gone' }, 'error'],
    [{ status: 503, headers: { 'a b': '1' } }, 'headers'],
    [{ status: 503, operation: 'list' }, 'operation'],
    [{ status: 503, operation: 'listInventory', petId: 1 }, 'petId'],
    [{ status: 503, petId: 1.5 }, 'petId'],
    [{ status: 503, times: 0 }, 'times'],
    [{ delay: [3, 1] }, 'delay'],
    ['503', 'the fault'],
  ])('and refused: %j', (fault, place) => {
    expect(() => parseFault(fault)).toThrow(
      expect.objectContaining({ code: 'INVALID_FAULT', message: expect.stringContaining(REFUSED.concat(place)) }),
    )
  })

  test('with at most 1,000 statuses', () => {
    const read = (length: number) => parseFault({ statuses: Array(length).fill(503) })
    expect(read(1000).statuses).toHaveLength(1000)
    expect(() => read(1001)).toThrow(`${REFUSED}statuses has more than 1,000. `)
  })

  test('with a status of success and a body', () => {
    expect(parseFault({ status: 200, body: [] })).toMatchObject({ status: 200, bodyText: '[]' })
  })
})

const { rules } = parseOptions({})
const create = (fault: FaultResponse): WireResponse => createFaultResponse(fault, rules)

describe('the response of a fault', () => {
  test('without a body is an Error object that says where it comes from', () => {
    const response = create({ status: 503 })
    expect(toText(response)).toBe(
      '{"code":"service_unavailable","message":"Response injected by a fault","status":503}',
    )
    expect(Object.keys(response.headers)).toEqual(['content-type', 'content-length', 'cache-control'])
  })

  test('with status 401 names the authentication scheme (RFC 9110, section 15.5.2)', () => {
    expect(create({ status: 401 }).headers).toMatchObject({ 'www-authenticate': 'Bearer realm="petstore"' })
  })

  test.each([400, 401, 404] as const)('with status %i is that of the service, by the profile', (status) => {
    const { rules: others } = parseOptions({ profile: { challenge: 'omit', codes: { [status]: 'OURS' } } })
    const response = createFaultResponse({ status }, others)
    expect(toText(response)).toContain('"code":"OURS"')
    expect(response.headers).not.toHaveProperty('www-authenticate')
  })

  test.each([204, 205, 304])('with status %i is empty, also if the fault has a body', (status) => {
    const response = create({ status, bodyText: '{"a":1}', retryAfter: 0 })
    expect(toText(response)).toBe('')
    expect(response.headers).toMatchObject({ 'retry-after': '0' })
    expect(response.headers).not.toHaveProperty('content-type')
  })
})

function toText({ body }: WireResponse): string {
  return new TextDecoder().decode(body)
}
