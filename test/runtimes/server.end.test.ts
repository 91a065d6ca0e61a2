import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { createMock, generateFixture, type MockOptions } from '../../src/index.ts'
import { type ServeOptions, serve } from '../../src/runtimes/server.ts'
import { createCertificate } from '../wire/certificate.ts'
import { followSocket, openRawClient, toRequest } from '../wire/raw-client.ts'
import { startServer } from '../wire/start-server.ts'

const LIST = toRequest('GET', '/v1/inventory')
const PATCH = toRequest('PATCH', '/v1/inventory/1', { body: '{"quantity":5}' })
const HALF_BODY = toRequest('PATCH', '/v1/inventory/1', {
  headers: { 'content-type': 'application/json', 'content-length': '14' },
})
const TLS = await createCertificate()

describe('close closes at once', () => {
  // The time that is given would be longer than the test has.
  const grace = '10m'

  test('an idle connection, used or not', async () => {
    const { server, client } = await startServer({}, { grace })
    using unused = await openRawClient(server.url)
    await client.send(LIST)
    await client.next()
    await server.close()
    expect([await client.ended, await unused.ended]).toEqual(['closed', 'closed'])
  })

  test('half a head, on a new connection and on a used one', async () => {
    const { mock, server, client } = await startServer({}, { grace })
    using fresh = await openRawClient(server.url)
    await fresh.send('GET /v1/inventory HTT')
    await client.send(`${LIST}GET /v1/inven`)
    await client.next()
    await vi.waitFor(() => expect(mock.journal.entries).toHaveLength(1))
    await server.close()
    await Promise.all([client.ended, fresh.ended])
  })

  test('a connection whose refused body is still on its way', async () => {
    const { server, client } = await startServer({}, { grace })
    expect(
      (
        await client.ask('PATCH', '/v1/inventory/1', {
          headers: { authorization: 'Bearer x', 'content-length': '99999' },
        })
      ).status,
    ).toBe(401)
    await server.close()
    await client.ended
  })

  test('a client that waits for ever, by a fault', async () => {
    const { mock, server, client } = await startServer({}, { grace })
    mock.faults.add({ error: 'timeout' })
    await client.send(LIST)
    await vi.waitFor(() => expect(mock.journal.entries).toHaveLength(1))
    await server.close()
    await client.ended
  })

  test('a stream of events', async () => {
    const { server, client } = await startServer({}, { grace })
    await client.send(toRequest('GET', '/_mock/events'))
    await vi.waitFor(() => expect(client.rest().toString()).toContain('event: state'))
    await server.close()
    await client.ended
  })

  test('a bare TCP connection to a port with TLS', async () => {
    const server = await serve(createMock(), { tls: TLS, grace })
    using bare = await openRawClient(server.port)
    await bare.send('GET / HT')
    using encrypted = followSocket(
      connectTls({ port: server.port, host: '127.0.0.1', ca: TLS.cert, servername: 'localhost' }),
    )
    await encrypted.send(LIST)
    expect((await encrypted.next()).status).toBe(200)
    await server.close()
    await Promise.all([bare.ended, encrypted.ended])
  })
})

describe('close finishes', () => {
  test('a request whose body is on its way, and its response closes the connection', async () => {
    const { mock, server, client } = await startServer()
    await client.send(`${HALF_BODY}{"quan`)
    await settle(server.url)
    const closed = server.close()
    await client.send('tity":5}')
    const { status, headers } = await client.next()
    expect([status, headers['connection'], mock.inventory.get(1)?.quantity]).toEqual([200, 'close', 5])
    expect(await client.ended).toBe('closed')
    await closed
  })

  test('a delayed response; what is pipelined behind it is not carried out', async () => {
    const { mock, server, client } = await startServer()
    mock.clock.useVirtual()
    mock.setDelay(100)
    await client.send(LIST + PATCH)
    await vi.waitFor(() => expect(mock.clock.pending).toBe(1))
    const closed = server.close()
    mock.clock.advance(100)
    const { status, headers } = await client.next()
    expect([status, headers['connection']]).toEqual([200, 'close'])
    await closed
    expect([client.rest().length, mock.inventory.get(1)?.quantity]).toEqual([0, 12])
  })

  test('a long list whose client reads it late', async () => {
    const { mock, server, client } = await startServer({ fixture: generateFixture({ pets: 60_000 }) })
    client.socket.pause()
    await client.send(LIST)
    await vi.waitFor(() => expect(mock.journal.entries).toHaveLength(1))
    const closed = server.close({ grace: '10m' })
    await new Promise(setImmediate)
    client.socket.resume()
    expect(JSON.parse((await client.next()).body.toString())).toHaveLength(60_000)
    await closed
  })
})

describe('after the grace period close cuts off', () => {
  test.for<[string, string, MockOptions, ((mock: ReturnType<typeof createMock>) => void)?]>([
    ['half a body', `${HALF_BODY}{"quan`, {}],
    ['a body of which nothing has come', HALF_BODY, {}],
    ['a long delay', LIST, { delay: 60_000 }],
    [
      'a handler of the user that never answers',
      LIST,
      {},
      (mock) => mock.use(http.get('*/inventory', () => new Promise(() => {}))),
    ],
    ['a list that nobody reads', LIST, { fixture: generateFixture({ pets: 100_000 }) }],
  ])('%s', async ([, bytes, options, setUp = () => {}]) => {
    const { mock, server, client } = await startServer(options, { grace: '50ms' })
    setUp(mock)
    const before = mock.inventory.get(1)
    client.socket.pause()
    await client.send(bytes)
    await settle(server.url)
    await server.close()
    client.socket.resume()
    await client.ended
    expect(mock.inventory.get(1)).toEqual(before)
  })

  test('of its own grace, and not of another', async () => {
    const [quick, patient] = [await startServer({}, { grace: '50ms' }), await startServer({}, { grace: '10m' })]
    for (const { client, server } of [quick, patient]) {
      await client.send(HALF_BODY)
      await settle(server.url)
    }
    const closed = patient.server.close()
    await quick.server.close()
    await quick.client.ended
    await patient.client.send('{"quantity":6}')
    expect((await patient.client.next()).status).toBe(200)
    await closed
  })

  test('with a grace of 0 at once', async () => {
    const { server, client } = await startServer()
    await client.send(HALF_BODY)
    await settle(server.url)
    await server.close({ grace: 0 })
    await client.ended
  })

  test('a second call may shorten it', async () => {
    const { server, client } = await startServer()
    await client.send(HALF_BODY)
    await settle(server.url)
    const closed = server.close({ grace: '10m' })
    await server.close({ grace: '0' })
    await Promise.all([closed, client.ended])
  })
})

test.for(['5', 'soon', '-1s', '5 s', '25h', -1, Number.NaN, '1441m', null])(
  'a grace of %j is refused',
  async (grace) => {
    const wrong = { grace } as unknown as ServeOptions
    await expect(serve(createMock(), wrong)).rejects.toThrow('grace must be a time up to a day')
    const { server } = await startServer()
    if (grace !== null) await expect(server.close(wrong)).rejects.toThrow('grace must be')
  },
)

test('new connections are refused while a response is in flight', async () => {
  const { server, client } = await startServer()
  await client.send(HALF_BODY)
  await settle(server.url)
  const closed = server.close()
  const late = connect(server.port, '127.0.0.1')
  await expect(new Promise((resolve, reject) => late.once('connect', resolve).once('error', reject))).rejects.toThrow(
    'ECONNREFUSED',
  )
  await client.send('{"quantity":6}')
  expect((await client.next()).status).toBe(200)
  await closed
})

/** The response to another client shows that the server has what was sent before. */
async function settle(url: string): Promise<void> {
  using client = await openRawClient(url)
  await client.ask('GET', '/_mock/health')
}
