import { describe, expect, test, vi } from 'vitest'
import type { Bytes } from '../../src/http/bytes.ts'
import type { FetchOutcome } from '../../src/http/outcome.ts'
import { RequestAborted } from '../../src/http/wire-request.ts'
import type { WireResponse } from '../../src/http/wire-response.ts'
import { proxyRequest } from '../../src/service/proxy.ts'

const URL_OF_TARGET = 'http://target.example/below//'

interface Sent {
  readonly url: string
  readonly init: RequestInit & { readonly headers: Headers }
}

/** Sends a request through the proxy to a target that is a function. */
async function send(
  respond: () => Response | Promise<Response>,
  { path = '/x', keys = false, ...init }: RequestInit & { path?: string; keys?: boolean } = {},
): Promise<{ sent: Sent; outcome: FetchOutcome | WireResponse; response: Response }> {
  const calls: Sent[] = []
  const fetch = async (url: URL, given: Sent['init']): Promise<Response> => {
    calls.push({ url: url.href, init: given })
    return respond()
  }
  const way: Parameters<typeof proxyRequest>[1] = {
    url: new URL(URL_OF_TARGET),
    keys,
    body: (await new Response(init.body).bytes()) as Bytes,
    origins: [],
    via: '1.1 petstore-mock-1',
    fetch: fetch as typeof globalThis.fetch,
    signal: init.signal ?? new AbortController().signal,
  }
  const outcome = await proxyRequest(new Request(`http://mock.example${path}`, init), way)
  return { sent: calls[0] as Sent, outcome, response: (outcome as FetchOutcome).response }
}

function toMessage(outcome: FetchOutcome | WireResponse): string {
  const { message } = JSON.parse(new TextDecoder().decode((outcome as WireResponse).body)) as { message: string }
  return message
}

const ok = (): Response => new Response('ok')

describe('proxyRequest', () => {
  test.each(['GET', 'HEAD', 'POST', 'OPTIONS'])('%s without a body is sent without one', async (method) => {
    const { sent } = await send(ok, { method })
    expect(sent.init).toMatchObject({ method, redirect: 'manual' })
    expect(sent.init).not.toHaveProperty('body')
  })

  test('a body is sent as it is', async () => {
    const { sent } = await send(ok, { method: 'PUT', body: 'whole' })
    expect(Buffer.from(sent.init.body as ArrayBuffer).toString()).toBe('whole')
  })

  test('headers of the connection are not sent on, and others are that only resemble them', async () => {
    const own = ['te', 'trailer', 'upgrade', 'keep-alive', 'proxy-connection', 'accept-encoding', 'expect', 'host']
    const others = ['x-te', 'trailers', 'my-host', 'hostname', 'xproxy-connection', 'no-keep-alive', 'expected']
    const headers = Object.fromEntries([...own, ...others, 'x-one', 'x-two'].map((name) => [name, '1']))
    const { sent } = await send(ok, { headers: { ...headers, connection: 'X-One , x-two' } })
    expect([...sent.init.headers.keys()]).toEqual(['via', ...others].toSorted())
  })

  test('headers of a response that belong to its connection are left out, and others kept that only resemble them', async () => {
    const own = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'access-control-allow-origin']
    const others = ['x-connection', 'connection-id', 'content-length-limit', 'x-access-control-max-age']
    const headers = Object.fromEntries([...own, ...others, 'x-hop'].map((name) => [name, '1']))
    const respond = () => new Response(null, { headers: { ...headers, connection: 'close, X-Hop' } })
    const { response } = await send(respond)
    expect([...response.headers.keys()]).toEqual(others.toSorted())
  })

  test.each([
    ['gzip', null],
    ['GZIP , br', null],
    ['br,  zstd', null],
    ['gzip2', 'gzip2'],
    ['mygzip', 'mygzip'],
    ['gzip;q=1', 'gzip;q=1'],
    ['br, my-br', 'br, my-br'],
  ])('a body of Content-Encoding %s is passed on with %s', async (coding, expected) => {
    const { response } = await send(() => new Response('x', { headers: { 'content-encoding': coding } }))
    expect(response.headers.get('content-encoding')).toBe(expected)
  })

  test.each([204, 205, 304])('a %i stays a %i without a body', async (status) => {
    const { response } = await send(() => new Response(null, { status }))
    expect([response.status, response.body]).toEqual([status, null])
  })

  test('a client that stops reading ends the body of the target', async () => {
    const cancelled = vi.fn<(reason: unknown) => void>()
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1)),
      cancel: cancelled,
    })
    const { response } = await send(() => new Response(stream))
    await response.body?.cancel('enough')
    expect(cancelled).toHaveBeenCalledExactlyOnceWith('enough')
  })

  test('a client that leaves is no 502', async () => {
    const client = new AbortController()
    const leave = (): Promise<never> => {
      client.abort()
      return Promise.reject(new DOMException('aborted', 'AbortError'))
    }
    const gone = send(leave, { signal: client.signal })
    await expect(gone).rejects.toThrow(RequestAborted)
    await expect(gone).rejects.toThrow('Failed to respond: the client disconnected.')
  })

  test('the message of a 502 shows no credentials', async () => {
    const fail = (): Promise<never> =>
      Promise.reject(new TypeError('Failed to parse URL from http://a.example/x?token=S'))
    const { outcome } = await send(fail)
    expect(toMessage(outcome)).toMatch(/ did not respond: Failed to parse URL from .*token=\(hidden\)$/)
  })

  test.each(['1.1 petstore-mock-1', '1.1 other, 1.1 petstore-mock-1', '1.1 petstore-mock-1,1.0 other'])(
    'a request that went through the mock already is a 502 (Via: %s)',
    async (via) => {
      const { sent, outcome } = await send(ok, { headers: { via } })
      expect([sent, toMessage(outcome)]).toEqual([undefined, 'Proxy loop: the target leads back to this mock'])
    },
  )

  test.each(['1.1 petstore-mock', '1.1 petstore-mock-2', '1.1 petstore-mock-12'])('Via: %s is no loop', async (via) => {
    const { sent } = await send(ok, { headers: { via } })
    expect(sent.init.headers.get('via')).toBe(`${via}, 1.1 petstore-mock-1`)
  })
})
