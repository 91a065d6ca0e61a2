import { describe, expect, test } from 'vitest'
import { isLoopback } from '../../src/http/is-loopback.ts'
import { guardControl } from '../../src/runtimes/server/guard-control.ts'

const OWN = { host: '127.0.0.1:4100' }

describe('the guard of the control API', () => {
  test.each<[string, Record<string, string>, string, boolean]>([
    ['a request of a tool', OWN, '127.0.0.1', true],
    ['a page of the server', { ...OWN, origin: 'http://127.0.0.1:4100' }, '127.0.0.1', true],
    ['a page of another port', { ...OWN, origin: 'http://127.0.0.1:4101' }, '127.0.0.1', false],
    ['a page of another site', { ...OWN, origin: 'https://evil.example' }, '127.0.0.1', false],
    ['a page without an origin to tell', { ...OWN, origin: 'null' }, '127.0.0.1', false],
    ['an image of another site', { ...OWN, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, '', false],
    ['a link of another site', { ...OWN, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, '', true],
    ['an image of its own', { ...OWN, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' }, '', true],
    ['an address typed in', { ...OWN, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }, '', true],
    ['no Host', {}, '127.0.0.1', false],
    ['a name that is not the server’s', { host: 'evil.example' }, '127.0.0.1', false],
    ['a name that only begins like an address', { host: '127.0.0.1.evil.example' }, '127.0.0.1', false],
    ['localhost in capitals', { host: 'LOCALHOST:4100' }, '127.0.0.1', true],
    ['the name that the server listens on', { host: 'build-box:4100' }, 'build-box', true],
    ['this name in capitals', { host: 'BUILD-BOX:4100' }, 'build-box', true],
    ['this name, given in capitals', { host: 'build-box:4100' }, 'BUILD-BOX', true],
    ['an IPv6 address', { host: '[::1]:4100' }, '::1', true],
  ])('%s', (_, headers, host, isAllowed) => {
    const answer = guardControl({ headers } as never, { hosts: [host], token: undefined })
    expect(answer?.status).toBe(isAllowed ? undefined : 403)
  })

  test.each([
    ['http://evil.example/_mock/reset', 403],
    ['http://127.0.0.1:4100/_mock/reset', undefined],
    ['/_mock/reset', undefined],
  ])('the target %s overrules the Host', (url, status) => {
    expect(guardControl({ url, headers: OWN } as never, { hosts: ['127.0.0.1'], token: undefined })?.status).toBe(
      status,
    )
  })

  test('asks for the token, to the letter', () => {
    const ask = (token?: string): number | undefined => {
      const headers = { ...OWN, ...(token !== undefined && { 'x-mock-control-token': token }) }
      return guardControl({ headers } as never, { hosts: ['127.0.0.1'], token: 'secret' })?.status
    }
    expect([ask(), ask(''), ask('Secret'), ask('secret')]).toEqual([401, 401, 401, undefined])
  })
})

test.each(['127.0.0.1', '127.255.255.254', '::1', 'localhost', 'app.localhost'])('%s is loopback', (host) => {
  expect(isLoopback(host)).toBe(true)
})

test.each(['127.a', '127.0.0.1.a', 'alocalhost', '0.0.0.0', '::', '10.0.0.1', '127::1'])('%s is elsewhere', (host) => {
  expect(isLoopback(host)).toBe(false)
})
