import { once } from 'node:events'
import http, { get as namedGet, request as namedRequest } from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { json, text } from 'node:stream/consumers'
import tls from 'node:tls'
import axios from 'axios'
import got from 'got'
import * as undici from 'undici'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { createCertificate } from '../wire/certificate.ts'
import { intercept } from '../wire/start-server.ts'

/** Taken before anything is intercepted, as a module does that is loaded first. */
const keptFetch = globalThis.fetch

const headers = { authorization: 'Bearer demo-key' }
const UPDATE = '{"quantity":5}'

const CLIENTS: Record<string, (url: string) => Promise<unknown>> = {
  fetch: async (url) => (await fetch(url, { headers })).json(),
  'a fetch kept from before': async (url) => (await keptFetch(url, { headers })).json(),
  'undici.request': async (url) => (await undici.request(url, { headers })).body.json(),
  'an Agent of undici’s': async (url) => {
    const dispatcher = new undici.Agent({ connections: 1 })
    onTestFinished(() => dispatcher.destroy())
    return (await undici.request(url, { headers, dispatcher })).body.json()
  },
  axios: async (url) => (await axios.get(url, { headers })).data,
  got: (url) => got(url, { headers }).json(),
  'got with http2': (url) => got(url, { headers, http2: true }).json(),
}

describe.each(Object.entries(CLIENTS))('%s', (_, list) => {
  test.each(['http', 'https'])('is answered by the mock (%s)', async (protocol) => {
    const { mock } = intercept({ baseUrl: `${protocol}://api.petstore.example/v1` })
    expect(await list(`${protocol}://api.petstore.example/v1/inventory`)).toHaveLength(10)
    expect(mock.journal.entries).toMatchObject([{ operation: 'listInventory' }])
  })

  test('reaches the network with what is not for the mock', async () => {
    await using neighbour = await serve(createMock({ fixture: 'empty' }))
    intercept({ baseUrl: 'https://api.petstore.example/v1' })
    expect(await list(`${neighbour.url}/v1/inventory`)).toEqual([])
  })
})

let certificate: { readonly cert: string; readonly key: string }
beforeAll(async () => (certificate = await createCertificate()))

/** Clients, and how each lists the inventory through the tunnel of a proxy at this port. */
const TUNNELLED: Record<string, (url: string, port: number) => Promise<unknown>> = {
  fetch: async (url, port) => {
    const before = undici.getGlobalDispatcher()
    onTestFinished(() => undici.setGlobalDispatcher(before))
    const agent = new undici.ProxyAgent({ uri: `http://127.0.0.1:${port}`, requestTls: { ca: certificate.cert } })
    onTestFinished(() => agent.destroy())
    undici.setGlobalDispatcher(agent)
    return (await fetch(url, { headers })).json()
  },
  'https.Agent with proxyEnv': async (url, port) => {
    const proxyEnv = { https_proxy: `http://127.0.0.1:${port}` }
    return getJson(url, new https.Agent({ proxyEnv, ca: certificate.cert }))
  },
  'https.Agent with http.request': async (url, port) => {
    const agent = new https.Agent()
    const { hostname: host, port: target } = new URL(url)
    const socket = await openTunnel(port, `${host}:${target || 443}`)
    agent.createConnection = () => tls.connect({ socket, host, ca: certificate.cert })
    return getJson(url, agent)
  },
}

describe.each(Object.entries(TUNNELLED))('%s through a proxy', (_, list) => {
  test('is answered by the mock', async () => {
    const { mock } = intercept({ baseUrl: 'https://api.petstore.example/v1' }, { onUnhandledRequest: 'error' })
    expect(await list('https://api.petstore.example/v1/inventory', await listenAsProxy())).toHaveLength(10)
    expect(mock.journal.entries).toMatchObject([{ operation: 'listInventory' }])
  })

  test('reaches the network with what is not for the mock', async () => {
    const { port } = await listen(https.createServer(certificate, (_, response) => response.end('[]')))
    intercept({ baseUrl: 'https://api.petstore.example/v1' })
    expect(await list(`https://127.0.0.1:${port}/v1/inventory`, await listenAsProxy())).toEqual([])
  })
})

test('a server behind a proxy speaks first, also under fake timers', async () => {
  const { port } = await listen(tls.createServer(certificate, (socket) => socket.end('220 hello')))
  const proxy = await listenAsProxy()
  intercept()
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const greeting = await new Promise((resolve, reject) =>
    http
      .request({ port: proxy, host: '127.0.0.1', method: 'CONNECT', path: `127.0.0.1:${port}` })
      .on('connect', (_, socket) => {
        tls.connect({ socket, ca: certificate.cert }).setEncoding('utf8').on('data', resolve).on('error', reject)
      })
      .end(),
  )
  expect(greeting).toBe('220 hello')
})

describe.each(['http', 'https'] as const)('%s.get', (protocol) => {
  const get = (options: https.RequestOptions): Promise<number> =>
    new Promise((resolve, reject) => {
      const { get } = protocol === 'http' ? http : https
      const request = get(`${protocol}://api.petstore.example/v1/inventory`, options, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
      })
      request.on('error', reject)
    })
  const intercepted = () => intercept({ baseUrl: `${protocol}://api.petstore.example/v1` }).mock

  test.each(['close', 'Close, TE'])('with Connection: %s is answered each time', async (connection) => {
    const mock = intercepted()
    const options = (index: number) => ({ headers: index % 4 === 3 ? headers : { ...headers, connection } })
    for (let index = 0; index < 20; index += 1) expect(await get(options(index))).toBe(200)
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => get(options(index))))
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(mock.journal.entries).toHaveLength(80)
  })

  test.each<[string, () => https.RequestOptions]>([
    ['an agent of its own', () => ({ agent: new (protocol === 'http' ? http : https).Agent() })],
    ['no agent', () => ({ agent: false })],
    ['Connection: close', () => ({ headers: { connection: 'close' } })],
  ])('with %s leaves no socket behind', async (_, createOptions) => {
    intercepted()
    const countSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
    const before = countSockets()
    for (let count = 0; count < 10; count += 1)
      await get({ ...createOptions(), headers: { ...headers, ...createOptions().headers } })
    await vi.waitFor(() => expect(countSockets()).toBeLessThanOrEqual(before))
  })
})

test.each<[string, (url: string) => Promise<unknown>]>([
  ['node:http', (url) => new Promise((resolve) => http.get(url, { headers }, (answer) => resolve(text(answer))))],
  [
    'a named import of node:http',
    (url) => new Promise((resolve) => namedGet(url, { headers }, (answer) => resolve(text(answer)))),
  ],
  ['undici', CLIENTS['undici.request'] ?? expect.fail],
  ['axios', CLIENTS['axios'] ?? expect.fail],
])('parallel requests of %s open no connection to the network', async (_, list) => {
  const onConnection = vi.fn()
  const { port } = await listen(createServer().on('connection', onConnection))
  const { mock } = intercept({ baseUrl: `http://127.0.0.1:${port}/v1` })
  await Promise.all(Array.from({ length: 20 }, () => list(`http://127.0.0.1:${port}/v1/inventory`)))
  // Any other connection would arrive before this one, which goes to the network because it reads before it writes.
  const probe = connect(port, '127.0.0.1').on('data', () => {})
  await vi.waitFor(() => expect(onConnection).toHaveBeenCalled())
  probe.destroy()
  expect(onConnection).toHaveBeenCalledTimes(1)
  expect(mock.journal.entries).toHaveLength(20)
})

test.each<[string, (url: string) => Promise<unknown>]>([
  ['fetch', CLIENTS['fetch'] ?? expect.fail],
  ['undici.request', CLIENTS['undici.request'] ?? expect.fail],
  ['axios', CLIENTS['axios'] ?? expect.fail],
  ['node:http', (url) => once(http.get(url, { headers }), 'response')],
])('a request of %s that is left over when its test ends fails with the name of the sandbox', async (_, list) => {
  const { mock } = intercept({ baseUrl: 'http://api.petstore.example/v1' })
  mock.setDelay(60_000)
  const failed = list('http://api.petstore.example/v1/inventory').catch(
    ({ message, cause }) => cause?.message ?? message,
  )
  await vi.waitFor(() => expect(mock.clock.pending).toBe(1))
  mock.reset()
  expect(await failed).toMatch(/^other side closed: the sandbox default was reset/)
})

test.each(['http', 'https'] as const)(
  'a client of node:%s that gives up gets its own error alone, also on a connection that was used',
  async (protocol) => {
    const { mock } = intercept({ baseUrl: `${protocol}://api.petstore.example/v1` })
    const { Agent, get } = protocol === 'http' ? http : https
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const open = () => get(`${protocol}://api.petstore.example/v1/inventory`, { agent, headers })
    const [response] = await once(open(), 'response')
    await json(response)

    mock.faults.add({ error: 'timeout' })
    const request = open()
    const events: string[] = []
    request.on('error', ({ message }) => events.push(message)).on('close', () => events.push('close'))
    await vi.waitFor(() => expect(mock.faults.list()).toMatchObject([{ used: 1 }]))
    const closed = new Promise((resolve) => request.once('close', resolve))
    process.nextTick(() => request.destroy(new Error('I gave up')))
    await closed
    await new Promise((resolve) => setImmediate(resolve))
    expect(events).toEqual(['I gave up', 'close'])
    expect(request.reusedSocket).toBe(true)
  },
)

describe('node:http sends its body after 100 Continue', () => {
  test.each<[string, typeof http.request, (request: http.ClientRequest) => Promise<unknown>]>([
    [
      'in the event',
      http.request,
      (request) => new Promise((end) => request.once('continue', () => end(request.end(UPDATE)))),
    ],
    ['later', http.request, (request) => once(request, 'continue').then(() => request.end(UPDATE))],
    ['by a named import', namedRequest, (request) => once(request, 'continue').then(() => request.end(UPDATE))],
  ])('%s, also over an open connection', async (_, open, send) => {
    const { mock } = intercept({ baseUrl: 'http://api.petstore.example/v1' })
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    for (const petId of [1, 2]) {
      const request = open(`http://api.petstore.example/v1/inventory/${petId}`, {
        agent,
        method: 'PATCH',
        headers: { ...headers, 'content-type': 'application/json', expect: '100-continue' },
      })
      const responded = once(request, 'response')
      await send(request)
      const [response] = await responded
      expect(await json(response)).toMatchObject({ quantity: 5 })
      expect(mock.inventory.get(petId)?.quantity).toBe(5)
    }
  })
})

describe('HTTP/2 goes to the network', () => {
  test.each<[string, (authority: string, ca: string) => Promise<string>]>([
    ['http2.connect', sendHttp2],
    ['http2.connect over an open connection', (url, ca) => sendHttp2(url, ca, openTls(url, ca, ['h2', 'http/1.1']))],
    ['gRPC, which offers nothing else', (url, ca) => sendHttp2(url, ca, openTls(url, ca, ['h2']))],
  ])('of %s over TLS', async (_, send) => {
    const { port } = await listen(http2.createSecureServer({ ...certificate, allowHTTP1: true }, echo))
    intercept()
    expect(await send(`https://127.0.0.1:${port}`, certificate.cert)).toBe(BODY)
  })

  test('of http2.connect without TLS', async () => {
    const { port } = await listen(http2.createServer(echo))
    intercept()
    expect(await sendHttp2(`http://127.0.0.1:${port}`)).toBe(BODY)
  })
})

/** More than one frame of HTTP/2 holds. */
const BODY = 'petstore '.repeat(10_000)

function echo(request: Readable, response: Writable): void {
  request.pipe(response)
}

async function listen(server: Server): Promise<AddressInfo> {
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server.address() as AddressInfo
}

/** A proxy that opens tunnels. Returns its port. */
async function listenAsProxy(): Promise<number> {
  const proxy = http.createServer().on('connect', ({ url }, tunnel: Socket) => {
    const [host, port] = String(url).split(':')
    // Nothing is sent to a host that the mock answers for.
    const target = connect(Number(port), host === 'api.petstore.example' ? '127.0.0.1' : host)
    for (const each of [tunnel, target]) each.on('error', () => each.destroy())
    tunnel.write('HTTP/1.1 200 OK\r\n\r\n')
    tunnel.pipe(target).pipe(tunnel)
  })
  return (await listen(proxy)).port
}

async function openTunnel(port: number, path: string): Promise<Socket> {
  const request = http.request({ port, host: '127.0.0.1', method: 'CONNECT', path })
  request.end()
  const [, socket] = await once(request, 'connect')
  return socket
}

async function getJson(url: string, agent: https.Agent): Promise<unknown> {
  onTestFinished(() => agent.destroy())
  const [response] = await once(https.get(url, { headers, agent }), 'response')
  return json(response)
}

/** Resolves when the protocol is agreed on, which a session over the socket does not look at. */
async function openTls(authority: string, ca: string, ALPNProtocols: string[]): Promise<Socket> {
  const socket = tls.connect({ port: Number(new URL(authority).port), ca, ALPNProtocols })
  await once(socket, 'secureConnect')
  return socket
}

async function sendHttp2(authority: string, ca = '', opened?: Promise<Socket>): Promise<string> {
  const socket = await opened
  const session = http2.connect(authority, { ca, ...(socket && { createConnection: () => socket }) })
  onTestFinished(() => session.destroy())
  const stream = session.request({ ':path': '/v1/inventory', ':method': 'POST' })
  stream.end(BODY)
  return text(stream)
}
