import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { HttpResponse, http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import type { Mock } from '../../src/index.ts'
import { Connections, createHttpServer } from '../../src/runtimes/server/connections.ts'
import { runInTurn } from '../../src/runtimes/server/server-request.ts'
import { openRawClient, toRequest } from '../wire/raw-client.ts'
import { startServer } from '../wire/start-server.ts'

const BODY = '{"quantity":5}'
const AUTHORIZED = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }

interface EarlyResponse {
  readonly title: string
  readonly status: number
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly setUp?: (mock: Mock) => void
}

/** Responses that are ready before the request's body was read: of each place that makes some. */
const EARLY_RESPONSES: readonly EarlyResponse[] = [
  { title: 'without a key', status: 401, headers: { authorization: undefined } },
  { title: 'to an unknown route', status: 404, path: '/v1/unknown' },
  { title: 'that a status fault answers', status: 503, setUp: (mock) => mock.faults.add({ status: 503, times: 1 }) },
  { title: 'that a 204 fault answers', status: 204, setUp: (mock) => mock.faults.add({ status: 204, times: 1 }) },
  {
    title: 'that a handler of the user answers',
    status: 202,
    setUp: (mock) =>
      mock.use(http.patch('*/inventory/1', () => HttpResponse.json({}, { status: 202 }), { once: true })),
  },
  {
    title: 'to the control API from another origin',
    status: 403,
    path: '/_mock/reset',
    headers: { origin: 'http://a.example' },
  },
  { title: 'to the console', status: 405, path: '/_mock/' },
  {
    title: 'that is a preflight',
    status: 204,
    method: 'OPTIONS',
    headers: { origin: 'http://a.example', 'access-control-request-method': 'PATCH' },
  },
  { title: 'that is a GET with a body', status: 200, method: 'GET', path: '/v1/inventory' },
  { title: 'with a target that is no URL', status: 400, path: 'http://[' },
]

describe.concurrent('a refusal leaves its connection usable', () => {
  for (const early of EARLY_RESPONSES) {
    const { title, status, method = 'PATCH', path = '/v1/inventory/1', headers = {}, setUp = () => {} } = early
    const sent: Record<string, string | undefined> = { ...AUTHORIZED, ...headers }

    test(`${method} ${title} is ${status} when its body has come, and so does another request`, async ({
      expect,
      onTestFinished,
    }) => {
      const { mock, server, client } = await startServer({}, {}, onTestFinished)
      setUp(mock)
      const [head, rest] = [toRequest(method, path, { headers: { ...sent, 'content-length': '14' } }), BODY]
      await client.send(head + rest.slice(0, 4))
      // The response to another client shows that the server has had the beginning.
      using other = await openRawClient(server.url)
      await other.ask('GET', '/v1/inventory')
      await client.send(rest.slice(4))
      const response = await client.next(method)
      expect([response.status, response.headers['connection']]).toEqual([status, 'keep-alive'])
      expect((await client.ask('PATCH', '/v1/inventory/2', { body: BODY })).status).toBe(200)
    })
  }
})

describe('a body that stays unread', () => {
  const endless = { 'transfer-encoding': 'chunked', 'content-length': undefined }

  test.for<[string, Readonly<Record<string, string | undefined>>, number]>([
    ['a refused body of 1 MB', { authorization: 'Bearer wrong', 'content-length': '1048576' }, 401],
    ['a body of 1 MB', { 'content-length': '1048576' }, 400],
  ])('%s is answered in full, and the response closes the connection', async ([, headers, status]) => {
    const { client } = await startServer()
    const response = await client.ask('PATCH', '/v1/inventory/1', { headers: { ...AUTHORIZED, ...headers } })
    expect([response.status, response.headers['connection']]).toEqual([status, 'close'])
    expect(JSON.parse(response.body.toString())).toMatchObject({ status })
    // The server has closed its side: the client loses nothing when it goes on sending.
    expect(await client.ended).toBe('closed')
    expect(client.rest()).toHaveLength(0)
  })

  test('a client that never stops sending is cut off, and has its response', async () => {
    const { client } = await startServer()
    const over = once(client.socket, 'close')
    await client.send(toRequest('PATCH', '/v1/inventory/1', { headers: { ...AUTHORIZED, ...endless } }))
    const timer = setInterval(() => client.socket.write(`1000\r\n${' '.repeat(0x1000)}\r\n`), 5)
    const response = await client.next()
    expect([response.status, response.headers['connection']]).toEqual([400, 'close'])
    await over
    clearInterval(timer)
  })

  test('a chunked body that came with its head is read, and the connection stays', async () => {
    const { client } = await startServer()
    const headers = { ...AUTHORIZED, ...endless, authorization: 'Bearer wrong' }
    const refused = toRequest('PATCH', '/v1/inventory/1', { headers, body: `e\r\n${BODY}\r\n0\r\n\r\n` })
    await client.send(refused + toRequest('GET', '/v1/inventory'))
    expect((await client.next()).headers['connection']).toBe('keep-alive')
    expect((await client.next()).status).toBe(200)
  })

  test('a response to HTTP/1.0 is not lost while the body is on its way', async () => {
    const { client } = await startServer()
    await client.send('PATCH /v1/inventory/1 HTTP/1.0\r\nContent-Length: 70000\r\n\r\n{')
    expect((await client.next()).status).toBe(401)
    expect(await client.ended).toBe('closed')
  })
})

describe('Expect: 100-continue', () => {
  const waiting = { ...AUTHORIZED, expect: '100-continue', 'content-length': '14' }

  test('is answered by a 100, and the connection stays', async () => {
    const { mock, client } = await startServer()
    for (const quantity of [5, 6]) {
      await client.send(toRequest('PATCH', '/v1/inventory/1', { headers: waiting }))
      expect((await client.nextOfAny()).status).toBe(100)
      await client.send(`{"quantity":${quantity}}`)
      expect((await client.nextOfAny()).status).toBe(200)
    }
    expect(mock.inventory.get(1)?.quantity).toBe(6)
  })

  test('with too large a body is refused before the body', async () => {
    const { client } = await startServer()
    const headers = { ...waiting, 'content-length': '65537' }
    await client.send(toRequest('PATCH', '/v1/inventory/1', { headers }))
    expect((await client.nextOfAny()).status).toBe(100)
    const response = await client.nextOfAny()
    expect([response.status, response.headers['connection']]).toEqual([400, 'close'])
    expect(await client.ended).toBe('closed')
  })

  test('of a client that does not wait for it', async () => {
    const { mock, client } = await startServer()
    for (const [key, status] of [
      ['demo-key', 200],
      ['wrong', 401],
      ['demo-key', 200],
    ] as const) {
      const headers = { ...waiting, authorization: `Bearer ${key}` }
      const response = await client.ask('PATCH', '/v1/inventory/1', { headers, body: BODY })
      expect([response.status, response.headers['connection']]).toEqual([status, 'keep-alive'])
    }
    expect(mock.inventory.get(1)?.quantity).toBe(5)
  })

  test('a handler of the user reads a body that was waited for', async () => {
    const { mock, client } = await startServer()
    mock.use(http.patch('*/inventory/1', async ({ request }) => HttpResponse.json(await request.json())))
    await client.send(toRequest('PATCH', '/v1/inventory/1', { headers: waiting }))
    expect((await client.nextOfAny()).status).toBe(100)
    await client.send(BODY)
    expect((await client.nextOfAny()).body.toString()).toBe(BODY)
  })

  test('another expectation is ignored', async () => {
    const { client } = await startServer()
    expect(
      (await client.ask('PATCH', '/v1/inventory/1', { headers: { ...AUTHORIZED, expect: 'a miracle' }, body: BODY }))
        .status,
    ).toBe(200)
  })
})

describe('the connection of a browser, which sends a request again if it closes before a byte,', () => {
  test.each(['network', 'reset', 'timeout'] as const)(
    'has the beginning of a response to the fault %s',
    async (error) => {
      const { mock, client } = await startServer()
      mock.faults.add({ error })
      await client.send(
        toRequest('GET', '/v1/inventory', { headers: { ...AUTHORIZED, 'user-agent': 'Mozilla/5.0 (X11)' } }),
      )
      await vi.waitFor(() => expect(mock.journal.entries).toHaveLength(1))
      // Ends the wait of `timeout`.
      mock.reset()
      expect(await client.ended).toBe('reset')
      expect(client.rest().toString()).toBe('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 500 Internal Server Error\r\n')
    },
  )
})

describe('what is no request', () => {
  test.for([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a header without a colon', 'GET /v1/inventory HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n', 400],
    ['two lengths', 'PATCH / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}', 400],
    ['a method that nobody knows', 'GETT /v1/inventory HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    [
      'a size of a chunk that is no number',
      `${toRequest('PATCH', '/v1/inventory/1', { headers: { ...AUTHORIZED, 'transfer-encoding': 'chunked' } })}zz\r\n`,
      400,
    ],
    ['a head of 20 KB', `GET /v1/inventory HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ] as const)('%s is an Error object, and the connection is closed', async ([, bytes, status]) => {
    const { client } = await startServer()
    await client.send(bytes)
    const response = await client.next()
    expect([response.status, response.headers['connection']]).toEqual([status, 'close'])
    expect(response.headers['content-type']).toBe('application/json')
    const error = { code: 'invalid_request', status, message: expect.any(String) }
    expect(JSON.parse(response.body.toString())).toEqual(error)
    expect(await client.ended).toBe('closed')
    expect(client.rest()).toHaveLength(0)
  })

  test('garbage behind a response is an Error object, too', async () => {
    const { client } = await startServer()
    expect((await client.ask('PATCH', '/v1/inventory/1', { body: BODY })).status).toBe(200)
    await client.send('hello\r\n\r\n')
    expect((await client.next()).status).toBe(400)
    expect(await client.ended).toBe('closed')
  })

  test.for([
    ['behind garbage', 'hello\r\n\r\n'],
    [
      'behind a body that stays unread',
      toRequest('PATCH', '/v1/inventory/1', {
        headers: { ...AUTHORIZED, 'transfer-encoding': 'chunked', authorization: 'Bearer wrong' },
      }),
    ],
  ] as const)('more garbage %s does not cost a slow reader its response', async ([, bytes]) => {
    const { server, client } = await startServer()
    client.socket.pause()
    for (const piece of [bytes, ...Array<string>(5).fill('more of it\r\n\r\n')]) {
      await client.send(piece)
      // The response to another client shows that the server has had it.
      using other = await openRawClient(server.url)
      await other.ask('GET', '/v1/inventory')
    }
    client.socket.resume()
    expect((await client.next()).headers['connection']).toBe('close')
    expect(await client.ended).toBe('closed')
  })
})

describe.concurrent('time', () => {
  test('half a head is a 408, and the connection is closed', async ({ expect }) => {
    await using server = await startQuick()
    using client = await openRawClient(server.port)
    await client.send('GET /v1/inventory HTTP/1.1\r\nHost')
    const response = await client.next()
    expect([response.status, response.headers['connection']]).toEqual([408, 'close'])
    expect(JSON.parse(response.body.toString())).toMatchObject({ code: 'invalid_request', status: 408 })
    expect(await client.ended).toBe('closed')
  })

  test('half a head behind a response is a 408 too', async ({ expect }) => {
    await using server = await startQuick()
    using client = await openRawClient(server.port)
    await client.send(`${toRequest('GET', '/')}GET`)
    expect((await client.next()).status).toBe(200)
    expect((await client.next()).status).toBe(408)
  })

  test('a body that drips for too long is a 408', async ({ expect }) => {
    await using server = await startQuick()
    using client = await openRawClient(server.port)
    const dripping = toRequest('PATCH', '/wait', { headers: { 'content-length': '1000' } })
    await client.send(dripping)
    const timer = setInterval(() => client.socket.write('.'), 20)
    expect((await client.next()).status).toBe(408)
    clearInterval(timer)
  })

  test('an idle connection stays open, used or not', async ({ expect }) => {
    await using server = await startQuick()
    using unused = await openRawClient(server.port)
    using used = await openRawClient(server.port)
    expect((await used.ask('GET', '/')).status).toBe(200)
    // The one that is late shows that the time is over.
    using late = await openRawClient(server.port)
    await late.send('GET')
    expect((await late.next()).status).toBe(408)
    for (const client of [unused, used]) {
      expect((await client.ask('GET', '/')).status).toBe(200)
    }
    await unused.send('GET')
    expect((await unused.next()).status).toBe(408)
  })

  /** A server whose clients have to be quick. `/wait` is never answered. */
  async function startQuick() {
    const server = await createHttpServer(undefined, {
      headersTimeout: 150,
      requestTimeout: 400,
      connectionsCheckingInterval: 20,
    })
    const connections = new Connections(server)
    server.on('request', (request, response) => {
      connections.add({ request, response })
      runInTurn({ request, response }, () => request.url !== '/wait' && response.end('{}'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    return { port, [Symbol.asyncDispose]: () => connections.close(0) }
  }
})
