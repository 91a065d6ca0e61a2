import { expect, test } from 'vitest'
import { toFetchReason } from '../../src/http/to-fetch-reason.ts'

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
])('%s', (error, reason) => {
  expect(toFetchReason(error)).toEqual(reason)
})
