import { connect } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import type { RequestLogEntry } from '../../src/runtimes/server.ts'
import { createCertificate } from '../wire/certificate.ts'
import { followSocket, toRequest } from '../wire/raw-client.ts'
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

test('the log cannot control a terminal', async () => {
  const entries: RequestLogEntry[] = []
  const { mock, client } = await startServer({}, { log: (entry) => entries.push(entry) })
  mock.faults.add({ status: 500, body: { code: 'x', message: 'a\u001b[31m\nb' } })
  await client.ask('GET', '/v1/inventory')
  await vi.waitFor(() => expect(entries).toHaveLength(1))
  expect(entries[0]?.error?.message).toBe('a\\u{1b}[31m\\u{a}b')
})
