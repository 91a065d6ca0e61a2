import { HttpResponse, http } from 'msw'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createMock, generateFixture } from '../../src/index.ts'
import { type RequestLogEntry, serve } from '../../src/runtimes/server.ts'
import { hasIpv6 } from '../machine.ts'
import { toRequest } from '../wire/raw-client.ts'
import { startServer } from '../wire/start-server.ts'

const AUTHORIZED = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }

describe('serve', () => {
  test('a taken port is one clear error', async () => {
    const { server } = await startServer()
    await expect(serve(createMock(), { port: server.port })).rejects.toThrow(
      `Failed to start the server: port ${server.port} on 127.0.0.1 is taken.`,
    )
  })

  test('an address of another machine is one clear error', async () => {
    await expect(serve(createMock(), { host: '192.0.2.1' })).rejects.toThrow(
      '192.0.2.1 is not an address of this machine',
    )
  })

  test('a client that goes away in the middle of a body changes nothing, and the server goes on', async () => {
    const entries: RequestLogEntry[] = []
    const { mock, server, client } = await startServer({}, { log: (entry) => entries.push(entry) })
    const headers = { 'content-length': '99' }
    await client.send(toRequest('PATCH', '/v1/inventory/1', { headers, body: '{"quantity":5}' }))
    client.socket.destroy()
    await vi.waitFor(() => expect(entries).toEqual([expect.objectContaining({ method: 'PATCH', status: undefined })]))
    await vi.waitFor(() => expect(mock.journal.entries).toHaveLength(1))
    expect(mock.journal.last()).not.toHaveProperty('answer')
    expect(mock.inventory.get(1)?.quantity).toBe(12)
    expect((await fetch(`${server.url}/v1/inventory`, { headers: AUTHORIZED })).status).toBe(200)
  })

  test('a list of megabytes arrives whole, and a client that goes away in its middle harms nobody', async () => {
    const mock = createMock({ fixture: generateFixture({ pets: 60_000 }) })
    const server = await serve(mock)
    const list = (): Promise<Response> => fetch(`${server.url}/v1/inventory`, { headers: AUTHORIZED })
    const gone = await list()
    await gone.body?.cancel()
    mock.inventory.set(50_000, { quantity: 4321 })
    const text = await (await list()).text()
    expect(text.length).toBeGreaterThan(2 * 1024 ** 2)
    expect(JSON.parse(text)).toEqual(mock.inventory.list())
    expect(text).toContain('{"petId":50000,"quantity":4321,')
    await server.close()
  })

  test('two Authorization lines are no valid key', async () => {
    const { client } = await startServer()
    expect((await client.ask('GET', '/v1/inventory', { headers: { Authorization: 'Bearer demo-key' } })).status).toBe(
      401,
    )
  })

  test('every request is told to the log, without query and key, by the clock of the machine', async () => {
    vi.useFakeTimers({ now: 0, toFake: ['Date', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const entries: RequestLogEntry[] = []
    const { server } = await startServer({}, { log: (entry) => entries.push(entry) })
    await (await fetch(`${server.url}/v1/inventory?token=demo-key`, { headers: AUTHORIZED })).text()
    await vi.waitFor(() => expect(entries).toHaveLength(1))
    expect(entries[0]).toMatchObject({ method: 'GET', path: '/v1/inventory', status: 200 })
    expect(entries[0]?.time.getTime()).toBeGreaterThan(1e12)
    expect(entries[0]?.duration).toBeGreaterThan(0)
    expect(JSON.stringify(entries)).not.toContain('demo-key')
  })

  test('the log says what is wrong with the form of a rejected key, and nothing of a control token', async () => {
    const entries: RequestLogEntry[] = []
    const { server } = await startServer({}, { controlToken: 'secret', log: (entry) => entries.push(entry) })
    const ask = (path: string, headers: Record<string, string>) => fetch(server.url + path, { headers })
    await ask('/v1/inventory', {})
    await ask('/v1/inventory', { ...AUTHORIZED, baggage: 'petstore-mock-sandbox=a%20b' })
    await ask('/v1/inventory', { authorization: 'Bearer wrong' })
    await ask('/_mock/state', {})
    await vi.waitFor(() => expect(entries).toHaveLength(4))
    expect(entries.map(({ status, keyProblem }) => [status, keyProblem])).toEqual([
      [401, 'missing'],
      [401, 'sandbox'],
      [401, undefined],
      [401, undefined],
    ])
  })

  test.skipIf(!hasIpv6)('serves on IPv6 (needs ::1)', async () => {
    const { server } = await startServer({}, { host: '::1' })
    expect(server.url).toBe(`http://[::1]:${server.port}`)
    expect((await fetch(`${server.url}/v1/inventory`, { headers: AUTHORIZED })).status).toBe(200)
  })
})

describe('handlers of the user’s own, over TCP', () => {
  test('answer with all they have: status text, cookies, streams', async () => {
    const { mock, server } = await startServer()
    mock.use(
      http.get('/v1/inventory', () => {
        const body = new Blob(['a', 'b']).stream()
        const headers = new Headers([
          ['x-own', '1'],
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ])
        return new HttpResponse(body, { status: 202, statusText: 'Well', headers })
      }),
    )
    const answer = await fetch(`${server.url}/v1/inventory`, { headers: AUTHORIZED })
    expect([answer.status, answer.statusText, answer.headers.getSetCookie(), await answer.text()]).toEqual([
      202,
      'Well',
      ['a=1', 'b=2'],
      'ab',
    ])
  })

  test.each(['a handler', 'the proxy'])('a stream of %s prints no warning of Node', async (source) => {
    const warnings: string[] = []
    const warn = (warning: Error): void => void warnings.push(warning.message)
    process.on('warning', warn)
    onTestFinished(() => void process.off('warning', warn))
    const type = { 'content-type': 'text/event-stream' }
    const endless = (): ReadableStream =>
      new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from(': 1\n')) })
    const handlers = [http.get('*/stream', () => new HttpResponse(endless(), { headers: type }))]
    const { server: target } = await startServer({ handlers })
    const options = source === 'a handler' ? { handlers } : { proxy: target.url }
    const { server } = await startServer(options, { log: () => {} })
    const { body } = await fetch(`${server.url}/stream`)
    await body?.getReader().read()
    await server.close()
    expect(warnings).toEqual([])
  })

  test.each([
    ['TRACE /v1/inventory', {}, 405],
    ['TRACE /v1/inventory/1', {}, 405],
    ['TRACE /v1/other', {}, 404],
    ['GET http://user:pass@mock.example/v1/inventory', {}, 200],
    ['GET /v1/inventory?x=1', { host: 'user:pass@mock.example' }, 200],
    ['GET /v1/inventory?x=1', { host: 'mock.example/_mock/reset?' }, 200],
    ['GET /v1/inventory?x=1', { host: '[' }, 200],
    ['GET /v1/inventory\\1', {}, 400],
  ])('%s with %j is answered by the contract: %i', async (line, headers, status) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { mock, client } = await startServer()
    const asked: string[] = []
    mock.use(http.all('*', ({ request }) => void asked.push(request.url)))
    const [method = '', target = ''] = line.split(' ')
    const response = await client.ask(method, target, { headers })
    expect([response.status, log.mock.calls]).toEqual([status, []])
    expect(asked).toEqual(status === 200 ? [expect.stringMatching(/^http:\/\/[a-z.]+\/v1\/inventory(\?x=1)?$/)] : [])
    if (status > 200) expect(JSON.parse(response.body.toString())).toMatchObject({ status })
  })
})

describe('pages of other origins', () => {
  const ORIGIN = 'https://shop.example'

  test('may read every answer of the service', async () => {
    const { server } = await startServer()
    for (const path of ['/v1/inventory', '/v1/unknown']) {
      const answer = await fetch(server.url + path, { headers: { origin: ORIGIN } })
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      // All headers, also those of stubs and handlers; the contract cases read one in a page of another origin.
      expect(answer.headers.get('access-control-expose-headers')).toBe('*')
    }
  })

  test('may not use the control API', async () => {
    const { server } = await startServer()
    const answer = await fetch(`${server.url}/_mock/reset`, { method: 'POST', headers: { origin: ORIGIN } })
    expect([answer.status, await answer.json()]).toEqual([403, expect.objectContaining({ code: 'forbidden' })])
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    const preflight = await fetch(`${server.url}/_mock/state`, {
      method: 'OPTIONS',
      headers: { origin: ORIGIN, 'access-control-request-method': 'PUT' },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([403, null])
  })
})

describe('the control API over TCP', () => {
  test('refuses a token that is a key, without repeating it', async () => {
    const mock = createMock({ apiKeys: ['one', 'S3CRET'] })
    const refusal: Error = await serve(mock, { controlToken: 'S3CRET' }).then(
      () => new Error('It started.'),
      (error) => error,
    )
    expect(refusal).toMatchObject({ name: 'MockError', code: 'INVALID_OPTION' })
    expect(refusal.message).toMatch(/^Failed to start the server: controlToken must not be an API key/)
    expect(refusal.message).not.toContain('S3CRET')
  })

  test.each(['', 'token\n', 'token ', '€'])('refuses the token %j, which no header holds as it is', async (token) => {
    await expect(serve(createMock(), { host: '0.0.0.0', controlToken: token })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining('controlToken must be printable ASCII'),
    })
  })

  test('takes any other token where every key is valid', async () => {
    const { server } = await startServer({ anyKey: true }, { controlToken: 'let-me-in' })
    const headers = { 'x-mock-control-token': 'let-me-in' }
    expect((await fetch(`${server.url}/_mock/health`, { headers })).status).toBe(200)
  })

  test('trusts the names in its base URLs, and says what to do about others', async () => {
    const { client } = await startServer({ baseUrl: ['http://Demo.test:4301/v1', '/v2'] })
    const ask = async (host: string) => {
      const { status, body } = await client.ask('GET', '/_mock/health', { headers: { host } })
      return `${status} ${body}`
    }
    expect(await ask('demo.test:4301')).toMatch(/^200 /)
    expect(await ask('DEMO.TEST')).toMatch(/^200 /)
    const refusal = await ask('demo.test.evil.example')
    expect(refusal).toMatch(/^403 .*use its IP address, or start it with --host NAME or --base-url URL/)
  })

  test('is off beyond loopback without a token, and on with one', async () => {
    const [without, withToken] = [
      await startServer({}, { host: '0.0.0.0' }),
      await startServer({}, { host: '0.0.0.0', controlToken: 't' }),
    ]
    expect((await fetch(`${without.server.url}/_mock/health`)).status).toBe(404)
    expect((await fetch(`${without.server.url}/v1/inventory`, { headers: AUTHORIZED })).status).toBe(200)
    expect(
      (await fetch(`${withToken.server.url}/_mock/health`, { headers: { 'x-mock-control-token': 't' } })).status,
    ).toBe(200)
  })
})
