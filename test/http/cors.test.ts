import { describe, expect, test } from 'vitest'
import { answerPreflight, CORS_HEADERS, isPreflight } from '../../src/http/cors.ts'

const ASKS = { origin: 'https://shop.example', 'access-control-request-method': 'PATCH' }

function toCall(method: string, headers: Readonly<Record<string, string>>) {
  return { method, header: (name: string) => headers[name] }
}

test('a page of any origin may read all headers of a response', () => {
  expect(CORS_HEADERS).toEqual({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': '*',
  })
})

describe('a preflight', () => {
  test.each<[string, string, Record<string, string>, boolean]>([
    ['OPTIONS of a page that asks for a method', 'OPTIONS', ASKS, true],
    ['OPTIONS without Origin', 'OPTIONS', { 'access-control-request-method': 'PATCH' }, false],
    ['OPTIONS that asks for no method', 'OPTIONS', { origin: ASKS.origin }, false],
    ['GET with the same headers', 'GET', ASKS, false],
  ])('%s: %s %j is one: %s', (_, method, headers, expected) => {
    expect(isPreflight(toCall(method, headers))).toBe(expected)
  })

  test('allows what it asks for, for a day, and is not to be stored', () => {
    const { status, headers, body } = answerPreflight(
      toCall('OPTIONS', { ...ASKS, 'access-control-request-headers': 'authorization,x-trace' }),
    )
    expect([status, body.byteLength]).toEqual([204, 0])
    expect(headers).toEqual({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'PATCH',
      'access-control-allow-headers': 'authorization,x-trace',
      'access-control-max-age': '86400',
      'cache-control': 'no-store',
    })
  })

  test('that asks for no headers is allowed those of the service', () => {
    expect(answerPreflight(toCall('OPTIONS', ASKS)).headers['access-control-allow-headers']).toBe(
      'Authorization, Content-Type',
    )
  })
})
