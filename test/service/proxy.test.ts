import type { IncomingMessage, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { http } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { openRawClient } from '../wire/raw-client.ts'
import { intercept, startTarget } from '../wire/start-server.ts'

const KEY = { authorization: 'Bearer demo-key' }

describe('proxy', () => {
  let target: string
  const seen: { request: IncomingMessage; body: string }[] = []
  const respond: RequestListener = async (request, response) => {
    seen.push({ request, body: await text(request) })
    response.setHeader('content-encoding', 'gzip')
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    response.statusCode = 218
    response.end(gzipSync(`{"path":${JSON.stringify(request.url)}}`))
  }
  beforeEach(async () => {
    seen.splice(0)
    target = await startTarget(respond)
  })

  test.each([
    ['GET', '/v1/pets/7?fields=a%20b&flag&c+d=%2F&&', '/v1/pets/7?fields=a%20b&flag&c+d=%2F&&'],
    ['GET', '/v1/store/orders', '/v1/store/orders'],
    ['POST', '/v1/store/orders', '/v1/store/orders'],
    ['DELETE', '/v1/pets/7', '/v1/pets/7'],
    ['GET', '/v1/nope', '/v1/nope'],
    ['POST', '/elsewhere', '/elsewhere'],
  ])('%s %s goes to the target, and is marked in the journal', async (method, path, url) => {
    const mock = createMock({ proxy: target })
    const init = { method, headers: KEY, ...(method === 'POST' && { body: 'sent' }) }
    const response = await mock.fetch(path, init)
    expect([response.status, await response.json()]).toEqual([218, { path: url }])
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect([seen[0]?.request.method, seen[0]?.body]).toEqual([method, method === 'POST' ? 'sent' : ''])
    expect(mock.journal.last()).toMatchObject({ by: 'proxy', answer: { status: 218 } })
  })

  test.each([
    ['GET', '/v1/inventory', KEY, 200],
    ['PATCH', '/v1/inventory/404', { ...KEY, 'content-type': 'application/json' }, 404],
    ['DELETE', '/v1/inventory', KEY, 405],
    ['GET', '/v1/inventory/7', KEY, 405],
    ['GET', '/v1/pets/7', {}, 401],
    ['GET', '/_mock/nope', {}, 404],
  ])('%s %s stays with the mock', async (method, path, headers, status) => {
    const mock = createMock({ proxy: target })
    const body = method === 'PATCH' ? { body: '{"quantity":1}' } : {}
    expect((await mock.fetch(path, { method, headers, ...body })).status).toBe(status)
    expect(seen).toEqual([])
    expect(mock.journal.find({ status })[0]?.by).toBeUndefined()
  })

  test('it is not asked once the sandbox was reset', async () => {
    const mock = createMock({ proxy: target, handlers: [http.get('*/v1/nope', () => mock.reset())] })
    await expect(mock.fetch('/v1/nope')).rejects.toThrow('Failed to fetch')
    expect(seen).toEqual([])
  })

  test.each([
    [false, [undefined, undefined, undefined], '/v1/pets/7?size=1'],
    [true, ['Bearer demo-key', 'sid=1', 'k'], '/v1/pets/7?api_key=secret&size=1'],
  ])('with keys: %s credentials are passed on only then', async (keys, [authorization, cookie, apiKey], url) => {
    const mock = createMock({ proxy: { url: target, keys } })
    const headers = { ...KEY, cookie: 'sid=1', 'x-api-key': 'k', 'x-request-id': '5' }
    await mock.fetch('/v1/pets/7?api_key=secret&size=1', { headers })
    expect(seen[0]?.request).toMatchObject({ url })
    expect(seen[0]?.request.headers).toMatchObject({
      'x-request-id': '5',
      via: expect.stringMatching(/^1\.1 petstore-mock-[0-9a-f]{8}$/),
    })
    const sent = seen[0]?.request.headers ?? {}
    expect([sent.authorization, sent.cookie, sent['x-api-key']]).toEqual([authorization, cookie, apiKey])
  })

  test.each([
    ['referer', 'http://s.example/?access_token=M'],
    ['x-forwarded-url', 'https://u:M@h.example/'],
    ['origin', 'http://u:M@x.example'],
    ['x-original-uri', '/a?r=http%3A%2F%2Fh%2F%3Ftoken%3DM'],
  ])('without keys, the header %s: %s is removed', async (name, value) => {
    await createMock({ proxy: target }).fetch('/x', { headers: { [name]: value, 'x-plain': 'https://h.example/?a=1' } })
    expect(seen[0]?.request.headers[name]).toBeUndefined()
    expect(seen[0]?.request.headers['x-plain']).toBe('https://h.example/?a=1')
  })

  test.each([
    ['/x?r=http%3A%2F%2Fh%2F%3Ftoken%3DM&a=1', '/x?a=1'],
    ['/x?a=1&to=//u:M&M@h/', '/x?a=1'],
    ['/x?token=M', '/x'],
    ['/x;jsessionid=M?a=1', '/x;jsessionid=(hidden)?a=1'],
  ])('without keys, %s is sent on as %s', async (path, sent) => {
    await createMock({ proxy: target }).fetch(path)
    expect(seen[0]?.request.url).toBe(sent)
  })

  test('a target that does not respond is a 502', async () => {
    const url = 'http://127.0.0.1:1'
    const mock = createMock({ proxy: url })
    const response = await mock.fetch('/v1/pets/7', { headers: KEY })
    expect([response.status, await response.json()]).toEqual([
      502,
      { code: 'bad_gateway', message: expect.stringContaining(`${url} did not respond: `), status: 502 },
    ])
  })

  test('a reason phrase is left out, since fetch cannot represent all of them', async () => {
    const german = await startTarget((_, response) => response.writeHead(218, 'Schön').end('{}'))
    const response = await createMock({ proxy: german }).fetch('/x')
    expect([response.status, response.statusText, await response.text()]).toEqual([218, '', '{}'])
  })

  test.each([
    ['http://localhost:5173', 218],
    ['http://app.localhost', 218],
    ['https://127.0.0.1:3000', 218],
    ['http://[::1]:3000', 218],
    ['https://named.example', 218],
    ['https://evil.example', 403],
    ['http://127.0.0.1.evil.example', 403],
    ['http://localhost.evil.example', 403],
    ['null', 403],
  ])('over TCP a page of %s gets a %i', async (origin, status) => {
    const proxy = { url: `${target}/below/`, origins: ['https://named.example'] }
    await using running = await serve(createMock({ proxy }))
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(`${running.url}/app/data`, { method, headers: { origin } })
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([status, '*'])
      expect(await response.json()).toMatchObject(status === 218 ? { path: '/below/app/data' } : { code: 'forbidden' })
    }
    expect(seen).toHaveLength(status === 218 ? 2 : 0)
    expect((await fetch(`${running.url}/v1/inventory`, { headers: { ...KEY, origin } })).status).toBe(200)
  })

  test('over TCP a page without an origin may be allowed, such as a file', async () => {
    await using running = await serve(createMock({ proxy: { url: target, origins: ['null'] } }))
    const ask = async (origin: string) => (await fetch(`${running.url}/app/data`, { headers: { origin } })).status
    expect([await ask('null'), await ask('https://evil.example')]).toEqual([218, 403])
  })

  test.each<[string, number, Record<string, string>]>([
    ['a tool', 218, { host: '127.0.0.1:4100' }],
    ['an address typed in', 218, { host: 'localhost:4100', 'sec-fetch-site': 'none' }],
    ['a page of another port', 218, { host: 'localhost:4100', 'sec-fetch-site': 'same-site' }],
    ['an image of another site', 403, { host: '127.0.0.1:4100', 'sec-fetch-site': 'cross-site' }],
    ['a link of another site', 403, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['a name that an attacker bound to loopback', 403, { host: 'evil.example', 'sec-fetch-site': 'same-origin' }],
    ['a page from loopback with such a name', 403, { host: 'evil.example', origin: 'http://localhost' }],
    ['a name of the server', 218, { host: 'mock.example' }],
    ['a name of an allowed page', 218, { host: 'named.example' }],
  ])('over TCP a request of %s gets a %i', async (_, status, headers) => {
    const proxy = { url: target, origins: ['https://named.example'] }
    await using running = await serve(createMock({ proxy, baseUrl: 'http://mock.example/v1' }))
    using client = await openRawClient(running.url)
    expect((await client.ask('GET', '/v1/admin', { headers })).status).toBe(status)
    expect(seen).toHaveLength(status === 218 ? 1 : 0)
    expect((await client.ask('GET', '/v1/inventory', { headers })).status).toBe(200)
  })

  test('inside a process the request is not intercepted again', async () => {
    intercept({ proxy: target })
    const response = await fetch('https://api.petstore.example/v1/pets/7', { headers: KEY })
    expect([response.status, await response.json()]).toEqual([218, { path: '/v1/pets/7' }])
  })
})
