import { HttpResponse, http } from 'msw'
import { describe, expect, test } from 'vitest'
import { createMock, type Stub } from '../../src/index.ts'
import { createStubs } from '../../src/service/stubs.ts'
import { intercept } from '../wire/start-server.ts'

const KEY = { authorization: 'Bearer demo-key' }

async function ask(mock: Pick<ReturnType<typeof createMock>, 'fetch'>, path: string, init: RequestInit = {}) {
  const response = await mock.fetch(path, { headers: KEY, ...init })
  return [response.status, await response.text()] as const
}

describe('stubs', () => {
  test('a path that only another method has as a literal still matches the template', async () => {
    const mock = createMock({
      stubs: [
        { path: '/orders/1', body: 'one' },
        { method: 'DELETE', path: '/orders/{id}', status: 204 },
      ],
    })
    expect(await ask(mock, '/v1/orders/1', { method: 'DELETE' })).toEqual([204, ''])
    expect(await ask(mock, '/v1/orders/1', { method: 'PUT' })).toMatchObject([404, expect.anything()])
  })

  test('another method of a path that the specification only names can have one', async () => {
    const mock = createMock({ stubs: [{ method: 'POST', path: '/store/orders', status: 201, body: { id: 5 } }] })
    expect(await ask(mock, '/v1/store/orders', { method: 'POST', body: '{}' })).toEqual([201, '{"id":5}'])
    expect(mock.journal.last()).toMatchObject({ by: 'stub', request: { body: '{}' } })
    expect(await ask(mock, '/v1/store/orders')).toMatchObject([501, expect.anything()])
    expect(await ask(mock, '/v1/store/orders', { method: 'DELETE' })).toMatchObject([405, expect.anything()])
  })

  test('Allow of a 405 names the methods of stubs, too', async () => {
    const stubs: Stub[] = [
      { method: 'POST', path: '/store/orders', status: 201 },
      { method: 'PUT', path: '/{group}/orders' },
      { path: '/store/orders' },
      { method: 'DELETE', path: '/pets/7', status: 204 },
      { method: 'POST', path: '/{name}' },
    ]
    const allow = async (path: string) => {
      const response = await createMock({ stubs }).fetch(path, { method: 'PATCH' })
      const { message } = (await response.json()) as { message: string }
      return [response.status, response.headers.get('allow'), message.split('Allowed: ').at(-1)]
    }
    expect(await allow('/v1/store/orders')).toEqual([405, 'GET, HEAD, POST, PUT', 'GET, HEAD, POST, PUT'])
    expect(await allow('/v1/pets/7')).toEqual([405, 'GET, HEAD, DELETE', 'GET, HEAD, DELETE'])
    expect(await allow('/v1/pets/8')).toEqual([405, 'GET, HEAD', 'GET, HEAD'])
    // The specification defines the responses of this path.
    expect(await allow('/v1/inventory')).toEqual([405, 'GET, HEAD', 'GET, HEAD'])
  })

  test('a template never matches a path that the specification defines', async () => {
    const stubs = [{ path: '/{name}', body: 'mine' }, { method: 'POST', path: '/{name}' }, { path: '/{name}/{id}' }]
    const mock = createMock({ stubs })
    expect((await ask(mock, '/v1/inventory'))[1]).toMatch(/^\[/)
    expect(await ask(mock, '/v1/inventory', { method: 'POST' })).toMatchObject([405, expect.anything()])
    expect(await ask(mock, '/v1/inventory/7')).toMatchObject([405, expect.anything()])
    expect(await ask(mock, '/v1/toys')).toEqual([200, '"mine"'])
    expect(await ask(mock, '/toys')).toMatchObject([404, expect.anything()])
  })

  test('without a valid key it is a 401, unless needsKey is false', async () => {
    const mock = createMock({ stubs: [{ path: '/pets/7' }, { path: '/toys' }, { path: '/open', needsKey: false }] })
    const answerers = { '/v1/pets/7': undefined, '/v1/toys': 'stub' }
    for (const [path, by] of Object.entries(answerers)) {
      const response = await mock.fetch(path)
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="petstore"'])
      expect(mock.journal.last()?.by).toBe(by)
    }
    expect(await ask(mock, '/v1/open', { headers: {} })).toEqual([200, ''])
  })

  test.each<[string, Stub, Record<string, string | null>, string]>([
    ['JSON', { path: '/x', body: [1] }, { 'content-type': 'application/json', 'cache-control': 'no-store' }, '[1]'],
    ['a string as JSON', { path: '/x', body: 'hi' }, { 'content-type': 'application/json' }, '"hi"'],
    [
      'a string as text',
      { path: '/x', headers: { 'Content-Type': 'text/html', 'Cache-Control': 'max-age=5' }, body: '<p>' },
      { 'content-type': 'text/html', 'cache-control': 'max-age=5', 'content-length': '3' },
      '<p>',
    ],
    ['a +json type', { path: '/x', headers: { 'content-type': 'application/problem+json' }, body: 'a' }, {}, '"a"'],
    ['exact numbers', { path: '/x', body: { id: 9223372036854775807n } }, {}, '{"id":9223372036854775807}'],
    ['a type that ends in JSON', { path: '/x', headers: { 'content-type': 'x-application/json' }, body: 'a' }, {}, 'a'],
    ['an object under another type', { path: '/x', headers: { 'content-type': 'text/plain' }, body: [1] }, {}, '[1]'],
    ['no body', { path: '/x' }, { 'content-type': null, 'content-length': '0' }, ''],
    ['null', { path: '/x', body: null }, { 'content-type': 'application/json' }, 'null'],
  ])('the body: %s', async (_, stub, headers, body) => {
    const response = await createMock({ stubs: [stub] }).fetch('/v1/x', { headers: KEY })
    expect(Object.fromEntries(Object.keys(headers).map((name) => [name, response.headers.get(name)]))).toEqual(headers)
    expect(await response.text()).toBe(body)
  })

  test('may have headers whose names only begin like those of the server', async () => {
    const headers = { 'connection-id': '1', 'content-length-limit': '2' }
    const response = await createMock({ stubs: [{ path: '/x', headers }] }).fetch('/v1/x', { headers: KEY })
    expect([response.headers.get('connection-id'), response.headers.get('content-length-limit')]).toEqual(['1', '2'])
  })

  test('a segment may begin with a dot, and only a request at the root is one for the control API', async () => {
    const stubs = ['/.well-known/x', '/a/...', '/..a', '/_mock/x'].map((path) => ({ path, body: path }))
    const mock = createMock({ stubs })
    for (const { path } of stubs) expect(await ask(mock, `/v1${path}`)).toEqual([200, JSON.stringify(path)])
  })

  test('are below an address without a path, too', async () => {
    const mock = createMock({ baseUrl: 'https://api.petstore.example', stubs: [{ path: '/pets/7', body: 'stub' }] })
    expect(await ask(mock, 'https://api.petstore.example/pets/7')).toEqual([200, '"stub"'])
  })

  test.each(['OPTIONS', 'TRACE'])('%s of a path with a stub is a 404, as without', async (method) => {
    const find = createStubs([{ path: '/toys', method: 'GET', status: 200, headers: {}, needsKey: true }], {
      bases: [{ origin: undefined, path: '/v1' }],
      refuse: (sentence) => new Error(sentence),
    })
    expect(find?.('GET', '/toys')).toBeDefined()
    expect(find?.(method, '/toys')).toBeUndefined()
  })

  // RFC 9110, section 8.6.
  test.each([204, 304])('a %i has no Content-Length', async (status) => {
    const response = await createMock({ stubs: [{ path: '/x', status }] }).fetch('/v1/x', { headers: KEY })
    expect([response.status, response.headers.get('content-length')]).toEqual([status, null])
  })

  test('come after the handlers of the user, and before the proxy', async () => {
    const handlers = [http.get('*/v1/pets/7', () => HttpResponse.json('handler'))]
    const mock = createMock({ handlers, stubs: [{ path: '/pets/{id}', body: 'stub' }], proxy: 'http://127.0.0.1:1' })
    expect(await ask(mock, '/v1/pets/7')).toEqual([200, '"handler"'])
    expect(mock.journal.last()?.by).toBe('handler')
    expect(await ask(mock, '/v1/pets/8')).toEqual([200, '"stub"'])
    expect(await ask(mock, '/v1/toys')).toMatchObject([502, expect.anything()])
  })

  test('have the faults, the delay and the Sunset header of their operation, survive reset, and are in each sandbox', async () => {
    const mock = createMock({ sunset: '2027-03-01', stubs: [{ path: '/pets/7', body: 'stub' }] })
    mock.faults.add({ operation: 'getPet', status: 503 })
    expect(await ask(mock, '/v1/pets/7')).toMatchObject([503, expect.anything()])
    mock.reset()
    const response = await mock.fetch('/v1/pets/7', { headers: { authorization: 'Bearer demo-key~t1' } })
    expect([await response.text(), response.headers.get('sunset')]).toEqual(['"stub"', 'Mon, 01 Mar 2027 00:00:00 GMT'])
  })

  test('inside a process and at an address of its own', async () => {
    const baseUrl = 'https://api.petstore.example/api/v2'
    intercept({ baseUrl, stubs: [{ path: '/pets/7', body: 'stub' }] })
    expect(await (await fetch(`${baseUrl}/pets/7`, { headers: KEY })).json()).toBe('stub')
  })

  test.each<[unknown, string]>([
    [{}, 'stubs must be an array of stubs, got {} (object).'],
    [[{ path: '/x', staus: 1 }], 'stubs[0].staus is'],
    [[{ path: '/x', method: 'get' }], 'stubs[0].method must be one of GET, POST, PUT, PATCH, DELETE, got "get"'],
    [[{ path: '/x', headers: 5 }], 'stubs[0].headers must be an object with headers, got 5 (number).'],
    [
      [{ path: '/x', headers: { 'x y': '1' } }],
      'stubs[0].headers.x y must be a header name other than Content-Length,',
    ],
    [[{ path: '/x', headers: [] }], 'stubs[0].headers must be an object with headers, got [] (array).'],
    [[{ path: '/x', status: 700 }], 'stubs[0].status must be a whole number from 200 to 599, got 700 (number).'],
    [[{ path: '/x', status: 204, body: {} }], 'stubs[0] has a body, which a response with the status 204 cannot have.'],
    [[{ path: '/x', headers: { 'retry-after': 5 } }], 'stubs[0].headers.retry-after must be a string, got 5 (number).'],
    [[{ path: '/x', headers: { 'Content-Length': '5' } }], 'stubs[0].headers.Content-Length must be'],
    [[{ path: '/x', headers: { a: 'b\nc' } }], 'stubs[0].headers.a must be a header value in ASCII'],
    [[{ path: '/inventory' }], 'stubs[0]: GET /inventory cannot have a stub, because the specification defines'],
    [[{ path: '/inventory/7' }], 'stubs[0]: GET /inventory/7 cannot have a stub'],
    [[{ path: '/inventory/{id}', method: 'DELETE' }], 'stubs[0]: DELETE /inventory/{id} cannot have a stub'],
    [[{ path: '/v1/pets/7' }], 'stubs[0]: GET /v1/pets/7 has the base path /v1. Leave it out: /pets/7.'],
    [[{ path: '/pets/7', needsKey: false }], 'stubs[0]: GET /pets/7 always needs a key'],
    [[{ path: '/a' }, { path: '/b' }, { path: '/b' }], 'stubs[2]: GET /b is the route of stubs[1] already.'],
    ...[
      '/a b',
      '',
      ...'pets/7 /pets?id=7 /pets/:petId /pets/* /pets/{id}.json /a/../b /a/./b /.. /a/. /a\\b /a%20b'.split(' '),
    ].map((path): [unknown, string] => [
      [{ path }],
      'stubs[0].path must be a path such as /pets/7 or /pets/{petId}, without a query',
    ]),
  ])('%j is refused', (stubs, message) => {
    expect(() => createMock({ stubs: stubs as Stub[] })).toThrow(`Failed to create the mock: ${message}`)
  })
})
