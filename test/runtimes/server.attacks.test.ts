import { connect } from 'node:tls'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import type { RequestLogEntry } from '../../src/runtimes/server.ts'
import { createCertificate } from '../wire/certificate.ts'
import { followSocket, openRawClient, toRequest } from '../wire/raw-client.ts'
import { startServer, startTarget } from '../wire/start-server.ts'

describe('a connection fault', () => {
  test('truncated on HEAD sends the head', async () => {
    const { mock, client } = await startServer()
    mock.faults.add({ error: 'truncated' })
    const { status, headers } = await client.ask('HEAD', '/v1/inventory')
    expect([status, headers['content-type']]).toEqual([200, 'application/json'])
    expect(await client.ended).toBe('closed')
  })

  test('reset resets a connection with TLS', async () => {
    const { mock, server } = await startServer({}, { tls: await createCertificate() })
    mock.faults.add({ error: 'reset' })
    using client = followSocket(connect({ port: Number(new URL(server.url).port), rejectUnauthorized: false }))
    await client.send(toRequest('GET', '/v1/inventory'))
    expect(await client.ended).toBe('reset')
  })
})

describe('a handler that returns a fetched response', () => {
  const text = 'decoded '.repeat(1000)

  const fetchGzipped = async (): Promise<Response> => {
    const url = await startTarget((_, response) => {
      const body = gzipSync(text)
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.byteLength }).end(body)
    })
    return fetch(url)
  }

  test.each([
    ['as it is', undefined, (response: Response) => response],
    ['as a copy', 'gzip', (response: Response) => new Response(response.body, response)],
  ])('%s: the next response on the connection stays whole', async (_, coding, pass) => {
    const { mock, client } = await startServer()
    mock.use(http.get('*/v1/fetched', async () => pass(await fetchGzipped())))
    await client.send(toRequest('GET', '/v1/fetched') + toRequest('GET', '/v1/inventory'))
    const { headers, body } = await client.next()
    expect([String(body), headers['content-length'], headers['content-encoding']]).toEqual([text, undefined, coding])
    expect(JSON.parse(String((await client.next()).body))).toHaveLength(10)
  })

  test.each([7, 9])('under a Content-Length of %i for 8 bytes is cut off', async (length) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { mock, client } = await startServer()
    mock.use(http.get('*/v1/fetched', () => new Response('8 bytes.', { headers: { 'content-length': `${length}` } })))
    await client.send(toRequest('GET', '/v1/fetched') + toRequest('GET', '/v1/inventory'))
    await expect(client.next()).rejects.toThrow('closed')
    expect(log.mock.calls).toEqual([[expect.stringMatching(/GET \/v1\/fetched:$/), expect.any(Error)]])
  })
})

describe('when the client leaves', () => {
  const body = '{"sent":true}'

  test.each([
    ['GET', undefined],
    ['POST', body],
  ])('its proxied %s ends', async (method, sent) => {
    const [arrived, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const target = await startTarget((_, response) => {
      response.once('close', left.resolve)
      arrived.resolve()
    })
    const { client } = await startServer({ proxy: target })
    await client.send(toRequest(method, '/v1/orders', sent === undefined ? {} : { body: sent }))
    await arrived.promise
    await collectGarbage()
    client.socket.destroy()
    await left.promise
  })

  test("the signal of a handler's request aborts", async () => {
    const [arrived, aborted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { mock, client } = await startServer()
    mock.use(
      http.post('*/v1/orders', ({ request: { signal } }) => {
        signal.addEventListener('abort', () => aborted.resolve())
        arrived.resolve()
        return new Promise<Response>((resolve) => signal.addEventListener('abort', () => resolve(new Response())))
      }),
    )
    await client.send(toRequest('POST', '/v1/orders', { body }))
    await arrived.promise
    await collectGarbage()
    client.socket.destroy()
    await aborted.promise
  })
})

test('the log cannot control a terminal', async () => {
  const entries: RequestLogEntry[] = []
  const { mock, client } = await startServer({}, { log: (entry) => entries.push(entry) })
  mock.faults.add({ status: 500, body: { code: 'x', message: 'a\u001b[31m\nb' } })
  await client.ask('GET', '/v1/inventory')
  await vi.waitFor(() => expect(entries).toHaveLength(1))
  expect(entries[0]?.error?.message).toBe('a\\u{1b}[31m\\u{a}b')
})

test('clients that do not read the journal cost no copy of it each', { timeout: 60_000 }, async () => {
  const { mock, server } = await startServer()
  const body = 'x'.repeat(60_000)
  for (let count = 0; count < 400; count += 1) await mock.fetch('/v1/nope', { method: 'POST', body })
  const before = await measureMemory()
  const clients = await Promise.all(Array.from({ length: 20 }, () => openRawClient(server.port)))
  for (const client of clients) {
    client.socket.pause()
    await client.send(toRequest('GET', '/_mock/journal'))
  }
  // Answered after theirs have begun.
  const { entries, isComplete } = await (await fetch(`${server.url}/_mock/journal?limit=100`)).json()
  expect([entries.length, entries[0].id, isComplete]).toEqual([100, 301, true])
  const held = (await measureMemory()) - before
  expect(held).toBeLessThan(200 * 1024 ** 2)
  for (const client of clients) client[Symbol.dispose]()
})

async function measureMemory(): Promise<number> {
  await collectGarbage()
  // What waits in sockets is outside of the heap.
  return process.memoryUsage.rss()
}

/** Several times, because a signal that follows another is found to be unused only once the other is. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < 5; round += 1) {
    collect()
    await new Promise(setImmediate)
  }
}
