import { describe, expect, test } from 'vitest'
import { joinBytes } from '../../src/http/bytes.ts'
import type { WireResponse } from '../../src/http/wire-response.ts'
import { createFaultResponse, type FaultResponse } from '../../src/sandbox/fault.ts'
import { parseOptions } from '../../src/service/parse-options.ts'

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
    expect(create({ status: 401 }).headers).toMatchObject({
      'www-authenticate': 'Bearer realm="petstore"',
    })
  })

  test.each([400, 401, 404] as const)('with status %i is that of the service, by the profile', (status) => {
    const { rules: others } = parseOptions({ profile: { challenge: 'omit', codes: { [status]: 'OURS' } } })
    const response = createFaultResponse({ status }, others)
    expect(toText(response)).toContain('"code":"OURS"')
    expect(response.headers).not.toHaveProperty('www-authenticate')
  })

  test.each([204, 205, 304])('with status %i is empty, also if the fault has a body', (status) => {
    const response = create({ status, bodyText: '{"a":1}', retryAfter: 3 })
    expect(toText(response)).toBe('')
    expect(response.headers).toMatchObject({ 'retry-after': '3' })
    expect(response.headers).not.toHaveProperty('content-type')
  })
})

function toText({ body }: WireResponse): string {
  return new TextDecoder().decode(joinBytes(body))
}
