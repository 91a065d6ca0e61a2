import { describe, expect, test } from 'vitest'
import {
  hideInAddress,
  hideInHeader,
  hideInHeaders,
  isSecretName,
  toFetchReason,
} from '../../src/http/hide-credentials.ts'

describe('hideInHeaders', () => {
  test.each([
    ['authorization', 'Bearer key', 'Bearer (hidden)'],
    ['authorization', 'bearer\tkey', 'bearer (hidden)'],
    ['authorization', 'Basic dTpw', 'Basic (hidden)'],
    ['authorization', 'Digest a="b"', 'Digest (hidden)'],
    ['authorization', 'Token x', 'Token (hidden)'],
    ['authorization', 'Bearer', 'Bearer'],
    ['authorization', ' Bearer ', '(hidden)'],
    ['authorization', 'my-key', '(hidden)'],
    ['authorization', 'Bearerkey', '(hidden)'],
    ['authorization', '', ''],
    ['proxy-authorization', 'Basic dTpw', 'Basic (hidden)'],
    ['cookie', 'a=1', '(hidden)'],
    ['set-cookie', 'a=1', '(hidden)'],
    ['x-api-key', '1', '(hidden)'],
    ['x-auth-token', '1', '(hidden)'],
    ['x-key', '1', '(hidden)'],
    ['session', '1', '(hidden)'],
    ['x-functions-key', '1', '(hidden)'],
    ['dd-application-key', '1', '(hidden)'],
    ['x-master-key', '1', '(hidden)'],
    ['idempotency-key', '1', '1'],
    ['x-idempotency-key', '1', '1'],
    ['sec-websocket-key', '1', '1'],
    ['surrogate-key', '1', '1'],
    ['x-partition-key', '1', '1'],
    ['x-monkey', '1', '1'],
    ['sort-key-master-key', '1', '(hidden)'],
    ['x-trace-id', '1', '1'],
    ['access-control-allow-credentials', 'true', 'true'],
    ['host', 'user:pass@mock.example', '(hidden)@mock.example'],
    ['host', 'mock.example:80', 'mock.example:80'],
    ['referer', 'https://u:p@a.example/?token=1&b=2', 'https://(hidden)@a.example/?token=(hidden)&b=2'],
  ])('%s: %s is shown as %j', (name, value, shown) => {
    expect(hideInHeaders([[name, value]])).toEqual({ [name]: shown })
  })

  test('shows all headers, of a repeated name the last', () => {
    const headers = [
      ['accept', 'a'],
      ['cookie', 'b'],
      ['accept', 'c'],
    ] as const
    expect(hideInHeaders(headers)).toEqual({ accept: 'c', cookie: '(hidden)' })
  })
})

describe('hideInAddress', () => {
  test.each([
    ['/v1/inventory', '/v1/inventory'],
    ['/v1/inventory?a=b&c=d', '/v1/inventory?a=b&c=d'],
    ['/v1/inventory?access_token=1', '/v1/inventory?access_token=(hidden)'],
    ['/v1?a=b&client_secret=1=2&c=d', '/v1?a=b&client_secret=(hidden)&c=d'],
    ['/v1?KEY=1', '/v1?KEY=(hidden)'],
    ['/v1?key=', '/v1?key='],
    ['/v1?monkey=1', '/v1?monkey=1'],
    ['/v1?%6bey=1', '/v1?%6bey=(hidden)'],
    ['/v1?key%3D1', '/v1?key%3D(hidden)'],
    ['/v1#pass=1', '/v1#pass=(hidden)'],
    ['/v1;jsessionid=1', '/v1;jsessionid=(hidden)'],
    ['/v1?x[password]=1', '/v1?x[password]=(hidden)'],
    ['https://user:pass@a.example/b', 'https://(hidden)@a.example/b'],
    ['https://a.example/b@c', 'https://a.example/b@c'],
    ['/v1?to=https%3A%2F%2Fu%3Ap%40a.example', '/v1?to=(hidden)'],
    ['/v1?%256bey=1', '/v1?%256bey=(hidden)'],
    ['/v1?to=%252F%253Ftoken%253D1&a=2', '/v1?to=%252F%253Ftoken%253D(hidden)&a=2'],
    ['/v1?to=%25252F%25253F%252574oken%25253D1', '/v1?to=%25252F%25253F%252574oken%25253D(hidden)'],
    ['/v1?to=https%253A%252F%252Fu%253Ap%2540a.example', '/v1?to=(hidden)'],
    ['/v1/http%3A%2F%2Fu%3Ap%40a.example/?b=1', '/v1/http(hidden)'],
    ['/v1%3Btoken%3D1?to=https%3A%2F%2Fu%3Ap%40a.example', '/v1(hidden)'],
    ['https://a.example/?to=https%3A%2F%2Fu%3Ap%40b.example', 'https://a.example/?to=(hidden)'],
    ['/v1?sale=100%25&a=%2520b', '/v1?sale=100%25&a=%2520b'],
    ['/v1?sort-key=1', '/v1?sort-key=1'],
    ['/v1?to=https://a.example?token=1', '/v1?to=https://a.example?token=(hidden)'],
    ['/v1?%=1&sig=2', '/v1?%=1&sig=(hidden)'],
  ])('%s is shown as %s', (address, shown) => {
    expect(hideInAddress(address)).toBe(shown)
  })
})

test.each([
  ['X-Pin', true],
  ['pin', true],
  ['pxin', false],
])('a parameter named %s is a credential: %s', (name, expected) => {
  expect(isSecretName(name)).toBe(expected)
})

test('a scheme without a key is shown, also with space behind it', () => {
  expect(hideInHeader('authorization', 'Bearer  ')).toBe('Bearer')
})

test.each([
  ['https%3A%2F%2Fuser%40pets.example', 'https(hidden)'],
  ['%2F%2Fa=%40b', '(hidden)'],
])('the encoded address %s is shown as %s', (text, shown) => {
  expect(hideInAddress(text)).toBe(shown)
})

test.each([
  [
    new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') }),
    'connect ECONNREFUSED 127.0.0.1:1',
  ],
  // After two addresses were tried, the cause has only a code.
  [new TypeError('fetch failed', { cause: new Error('') }), 'fetch failed'],
  [new TypeError('NetworkError when attempting to fetch resource.'), 'NetworkError when attempting to fetch resource'],
  [new TypeError('terminated'), 'terminated'],
  [
    new TypeError('Failed to parse URL http://a.example/x?token=M', { cause: 'other' }),
    expect.not.stringContaining('=M'),
  ],
  [new TypeError('fetch failed', { cause: new Error('http://u:M@a.example/') }), expect.not.stringContaining('M')],
])('the reason of %s', (error, reason) => {
  expect(toFetchReason(error)).toEqual(reason)
})
