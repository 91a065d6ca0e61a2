import { describe, expect, test, vi } from 'vitest'
import { toWireRequest } from '../../src/http/fetch-request.ts'
import { BODY_TOO_LARGE, RequestAborted } from '../../src/http/wire-request.ts'

describe.each([
  ['with a stream', true],
  ['without one, as in Firefox', false],
])('the body of a request %s', (_, hasStream) => {
  const read = (length: number, limit: number) => {
    const request = new Request('http://a.example/', { method: 'POST', body: new Uint8Array(length) })
    if (!hasStream) Object.defineProperty(request, 'body', { value: undefined })
    return toWireRequest(request).readBody(limit)
  }

  test('is read up to its limit', async () => {
    expect([await read(5, 5), await read(6, 5)]).toEqual([new Uint8Array(5), BODY_TOO_LARGE])
  })
})

describe('a body that ends early', () => {
  const read = (error: Error, signal = new AbortController().signal) => {
    const body = new ReadableStream({ pull: (controller) => controller.error(error) })
    const init = { method: 'POST', body, signal, duplex: 'half' } as RequestInit
    return Promise.resolve(toWireRequest(new Request('http://a.example/', init)).readBody(10))
  }

  test.each<[string, Error, boolean, boolean]>([
    ['a stream that fails', new Error('broken'), false, true],
    ['a client that has gone', new Error('broken'), true, false],
    ['a request that was aborted', new RequestAborted('gone'), false, false],
    ['an AbortError', new DOMException('gone', 'AbortError'), false, false],
    ['another DOMException', new DOMException('gone', 'NetworkError'), false, true],
  ])('is told as such, and logged unless the client has left: %s', async (_, error, isGone, isLogged) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const client = new AbortController()
    const body = read(error, client.signal)
    if (isGone) client.abort()
    const failure: unknown = await body.catch((reason: unknown) => reason)
    expect(failure).toBeInstanceOf(RequestAborted)
    expect(failure).toMatchObject({
      name: 'RequestAborted',
      message: 'Failed to read the request body: the stream ended early.',
    })
    if (!isGone) expect(failure).toHaveProperty('cause', error)
    expect(log.mock.calls).toEqual(isLogged ? [['petstore-mock: Failed to read the body of a request:', error]] : [])
  })
})

describe('a request of fetch', () => {
  test('tells its method, its path with and without the query, and its headers', () => {
    const request = new Request('http://a.example:81/b%20/c?d=e#f', { method: 'POST', headers: { 'X-Own': 'g' } })
    const wire = toWireRequest(request)
    expect([wire.method, wire.path, wire.url.href, wire.header('x-own'), wire.header('x-none')]).toEqual([
      'POST',
      '/b%20/c',
      'http://a.example:81/b%20/c?d=e#f',
      'g',
      undefined,
    ])
    const record = wire.toRecord()
    expect([record.method, record.path, Object.fromEntries(record.headers())]).toEqual([
      'POST',
      '/b%20/c?d=e',
      { 'x-own': 'g' },
    ])
  })

  test('whose length is told too large is not read', async () => {
    const body = new ReadableStream({ pull: () => expect.fail('it was read') }, { highWaterMark: 0 })
    const init = { method: 'POST', body, duplex: 'half', headers: { 'content-length': '5' } }
    expect(await toWireRequest(new Request('http://a.example', init as RequestInit)).readBody(4)).toBe(BODY_TOO_LARGE)
  })

  test('is made anew for a handler, with the body that was read', async () => {
    const init: RequestInit = { method: 'PUT', body: 'x', headers: { a: 'b' }, credentials: 'omit' }
    const wire = toWireRequest(new Request('http://a.example/b', init))
    await wire.readBody(1)
    const again = wire.toRequest(new TextEncoder().encode('y'))
    expect(again?.credentials).toBe('omit')
    expect([again?.method, again?.url, again?.headers.get('a'), await again?.text()]).toEqual([
      'PUT',
      'http://a.example/b',
      'b',
      'y',
    ])
  })
})
