import { once } from 'node:events'
import http2 from 'node:http2'
import type { AddressInfo, Server } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import * as grpc from '@grpc/grpc-js'
import axios from 'axios'
import got from 'got'
import * as undici from 'undici'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../../src/index.ts'
import { interceptRequests } from '../../src/runtimes/node.ts'
import { serve } from '../../src/runtimes/server.ts'
import { createCertificate } from '../wire/certificate.ts'

/** Taken before anything is intercepted, as a module does that is loaded first. */
const keptFetch = globalThis.fetch

const headers = { authorization: 'Bearer demo-key' }

/** Clients, and how each lists the inventory. */
const CLIENTS: Record<string, (url: string) => Promise<unknown>> = {
  fetch: async (url) => (await fetch(url, { headers })).json(),
  'a fetch kept from before': async (url) => (await keptFetch(url, { headers })).json(),
  'undici.fetch': async (url) => (await undici.fetch(url, { headers })).json(),
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
    const mock = intercept({ baseUrl: `${protocol}://api.petstore.example/v1` })
    expect(await list(`${protocol}://api.petstore.example/v1/inventory`)).toHaveLength(10)
    expect(mock.journal.entries).toMatchObject([{ operation: 'listInventory' }])
  })

  test('reaches the network with what is not for the mock', async () => {
    await using neighbour = await serve(createMock({ fixture: 'empty' }))
    intercept({ baseUrl: 'https://api.petstore.example/v1' })
    expect(await list(`${neighbour.url}/v1/inventory`)).toEqual([])
  })
})

describe('HTTP/2 goes to the network', () => {
  let certificate: { readonly cert: string; readonly key: string }
  beforeAll(async () => {
    certificate = await createCertificate()
  })

  test.each<[string, (authority: string, ca: string) => Promise<string>]>([
    ['http2.connect', sendHttp2],
    ['got with http2', sendGot],
    ['undici', sendUndici],
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

  test('of undici without TLS', async () => {
    const { port } = await listen(http2.createServer(echo))
    intercept()
    const client = new undici.H2CClient(`http://127.0.0.1:${port}`)
    onTestFinished(() => client.destroy())
    const answer = await client.request({ path: '/', method: 'POST', body: BODY })
    expect(await answer.body.text()).toBe(BODY)
  })

  test.each(['plain', 'TLS'])('of gRPC, %s', async (kind) => {
    const ca = Buffer.from(certificate.cert)
    const pair = { cert_chain: ca, private_key: Buffer.from(certificate.key) }
    const server = new grpc.Server()
    onTestFinished(() => server.forceShutdown())
    server.addService(ECHO, {
      echo: ({ request }: { request: Buffer }, reply: grpc.sendUnaryData<Buffer>) => reply(null, request),
    })
    const isPlain = kind === 'plain'
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync(
        '127.0.0.1:0',
        isPlain ? grpc.ServerCredentials.createInsecure() : grpc.ServerCredentials.createSsl(null, [pair]),
        (error, bound) => (error ? reject(error) : resolve(bound)),
      ),
    )
    intercept()
    const client = new (grpc.makeGenericClientConstructor(ECHO, 'Echo'))(
      `127.0.0.1:${port}`,
      isPlain ? grpc.credentials.createInsecure() : grpc.credentials.createSsl(ca),
      { 'grpc.ssl_target_name_override': 'localhost' },
    )
    onTestFinished(() => client.close())
    const reply = await new Promise((resolve, reject) =>
      client['echo']?.(Buffer.from(BODY), (error: unknown, value: Buffer) => (error ? reject(error) : resolve(value))),
    )
    expect(String(reply)).toBe(BODY)
  })
})

/** More than one frame of HTTP/2 holds. */
const BODY = 'petstore '.repeat(10_000)

const ECHO: grpc.ServiceDefinition = {
  echo: {
    path: '/echo.Echo/Echo',
    requestStream: false,
    responseStream: false,
    requestSerialize: (value: Buffer) => value,
    requestDeserialize: (value) => value,
    responseSerialize: (value: Buffer) => value,
    responseDeserialize: (value) => value,
  },
}

function echo(request: Readable, response: Writable): void {
  request.pipe(response)
}

async function listen(server: Server): Promise<AddressInfo> {
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server.address() as AddressInfo
}

async function sendHttp2(authority: string, ca = ''): Promise<string> {
  const session = http2.connect(authority, { ca })
  onTestFinished(() => session.destroy())
  const stream = session.request({ ':path': '/v1/inventory', ':method': 'POST' })
  stream.end(BODY)
  return text(stream)
}

async function sendGot(authority: string, ca: string): Promise<string> {
  return got.post(authority, { body: BODY, http2: true, https: { certificateAuthority: ca } }).text()
}

async function sendUndici(authority: string, ca: string): Promise<string> {
  const dispatcher = new undici.Agent({ connect: { ca } })
  onTestFinished(() => dispatcher.destroy())
  return (await undici.request(authority, { method: 'POST', body: BODY, dispatcher })).body.text()
}

function intercept(options: MockOptions = {}): Mock {
  const mock = createMock(options)
  const interception = interceptRequests(mock)
  onTestFinished(() => interception.stop())
  return mock
}
