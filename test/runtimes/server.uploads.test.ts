import { HttpResponse, http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import type { MockOptions } from '../../src/index.ts'
import { openRawClient } from '../wire/raw-client.ts'
import { startServer, startTarget } from '../wire/start-server.ts'

const KEY = 'Authorization: Bearer demo-key\r\n'
const CHUNK = `${(1024 ** 2).toString(16)}\r\n${'x'.repeat(1024 ** 2)}\r\n`

const readsText = http.post('*/v1/up', async ({ request }) =>
  HttpResponse.json({ length: (await request.text()).length }),
)
const readsUpdate = http.patch('*/v1/inventory/:petId', async ({ request }) => void (await request.text()))
const readsNothing = http.post('*/v1/up', () => new HttpResponse(null, { status: 202 }))

describe('a body for handlers or the proxy', () => {
  test.each([
    ['a handler of its own path', { handlers: [readsText] }, 'POST /v1/up'],
    ['a handler in front of an operation', { handlers: [readsUpdate] }, 'PATCH /v1/inventory/1'],
    ['the proxy', { proxy: 'http://127.0.0.1:1' }, 'POST /v1/up'],
  ])('that is too large for %s is a 400, and the server goes on', async (_, options, line) => {
    const { base, errors } = await start(options)
    using client = await openRawClient(base)
    await client.send(
      `${line} HTTP/1.1\r\nHost: localhost\r\n${KEY}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    for (let sent = 0; sent < 17; sent += 1) await client.send(CHUNK)
    const { status, headers, body } = await client.next()
    expect([status, headers['connection'], body.toString()]).toEqual([
      400,
      'close',
      expect.stringMatching(/The body must be at most (?:16777216|65536) bytes/),
    ])
    expect(await client.ended).toBe('closed')
    expect((await fetch(`${base}/v1/inventory`)).status).toBe(401)
    expect(errors()).toEqual([])
  })

  test.each([
    ['a handler that reads it', { handlers: [readsText] }],
    ['a handler that does not', { handlers: [readsNothing] }],
    ['the proxy', { proxy: 'http://127.0.0.1:1' }],
  ])('whose client leaves in its middle is no error, with %s', async (_, options) => {
    const { base, errors, mock } = await start(options)
    const client = await openRawClient(base)
    await client.send('POST /v1/up HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf')
    // The server has read what was sent before.
    await fetch(`${base}/v1/inventory`)
    client.socket.destroy()
    await vi.waitFor(() => expect(mock.journal.entries.map(({ request }) => request.method)).toContain('POST'))
    // A socket that has gone is noticed before the next connection is served.
    await fetch(`${base}/v1/inventory`)
    expect(errors()).toEqual([])
  })
})

describe('a client that resets its connection', () => {
  test('ends the stream of a handler that responds later', async () => {
    const begun = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const cancelled = Promise.withResolvers<void>()
    const handler = http.get('*/v1/events', async () => {
      begun.resolve()
      await go.promise
      const stream = new ReadableStream({ cancel: () => cancelled.resolve() })
      return new HttpResponse(stream, { headers: { 'content-type': 'text/event-stream' } })
    })
    const { base, errors } = await start({ handlers: [handler] })
    const client = await openRawClient(base)
    await client.send('GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await begun.promise
    client.socket.resetAndDestroy()
    await fetch(`${base}/v1/inventory`)
    go.resolve()
    await cancelled.promise
    expect(errors()).toEqual([])
  })
})

describe('a proxied request', () => {
  test('whose response breaks off breaks off too, and the error is logged', async () => {
    const sent = Promise.withResolvers<() => void>()
    const proxy = await startTarget((_, response) => {
      response.write('half')
      sent.resolve(() => response.destroy())
    })
    const { base, errors } = await start({ proxy })
    const response = await fetch(`${base}/v1/broken`)
    const body = response.text()
    void sent.promise.then((destroy) => destroy())
    await expect(body).rejects.toThrow('terminated')
    await vi.waitFor(() => expect(errors()).toContainEqual(expect.objectContaining({ message: 'terminated' })))
  })

  test('whose client leaves in the middle of the response ends the response, and is no error', async () => {
    const left = Promise.withResolvers<void>()
    const proxy = await startTarget((_, response) => response.once('close', left.resolve).write('half'))
    const { base, errors } = await start({ proxy })
    const response = await fetch(`${base}/v1/long`)
    await response.body?.cancel()
    await left.promise
    await fetch(`${base}/v1/inventory`)
    expect(errors()).toEqual([])
  })

  test('that is truncated reads only the beginning of an endless response', async () => {
    const left = Promise.withResolvers<void>()
    const part = Buffer.alloc(65_536, 'x')
    const proxy = await startTarget((_, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write(part));
      }
      response.on('drain', write).once('close', left.resolve)
      write()
    })
    const { base, mock } = await start({ proxy })
    mock.faults.add({ operation: 'getPet', error: 'truncated' })
    const response = await fetch(`${base}/v1/pets/1`, { headers: { authorization: 'Bearer demo-key' } })
    expect(response.status).toBe(200)
    await expect(response.arrayBuffer()).rejects.toThrow('terminated')
    await left.promise
  })
})

test('half of what came is sent with a truncated response that breaks off at the target', async () => {
  const target = await startTarget((_, response) => {
    response.writeHead(200, { 'content-length': 100, 'x-own': '1' })
    response.write('begun', () => response.destroy())
  })
  const { base, mock } = await start({ proxy: target })
  mock.faults.add({ error: 'truncated' })
  for (const fetch of [globalThis.fetch, mock.fetch]) {
    const response = await fetch(`${base}/v1/orders`)
    expect([response.status, response.headers.get('x-own')]).toEqual([200, '1'])
    await expect(response.text()).rejects.toThrow('terminated')
  }
})

test('a handler’s response has one framing', async () => {
  const headers = { 'content-length': '2', 'transfer-encoding': 'chunked' }
  const { base } = await start({ handlers: [http.get('*/v1/framed', () => new Response('ok', { headers }))] })
  const response = await fetch(`${base}/v1/framed`)
  expect(Object.fromEntries(response.headers)).not.toHaveProperty('transfer-encoding')
  expect(await response.text()).toBe('ok')
})

async function start(options: MockOptions) {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { mock, server } = await startServer(options, { grace: 0 })
  return { base: server.url, mock, errors: () => spy.mock.calls.flat() }
}
