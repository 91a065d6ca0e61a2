import { STATUS_CODES } from 'node:http'
import { describe, expect, test } from 'vitest'
import { ByteBudget } from '../../src/http/byte-budget.ts'
import { createErrorResponse, ERROR_STATUSES, type ErrorCode } from '../../src/http/error-response.ts'
import { toBeginning, toFetchOutcome, toHandlerOutcome, toWireResponse, withHeaders } from '../../src/http/outcome.ts'
import { toFetchResult } from '../../src/http/to-fetch-result.ts'
import { BODY_TOO_LARGE, toWireRequest } from '../../src/http/wire-request.ts'
import {
  createEmptyResponse,
  createJsonResponse,
  createResponse,
  isBodiless,
  REASON_PHRASES,
  toResponse,
  type WireResponse,
} from '../../src/http/wire-response.ts'

const signal = new AbortController().signal
const GET = { method: 'GET', signal }

describe('a response', () => {
  test('has its type, the length of its bytes, and is not to be stored', () => {
    const { type, status, headers, body } = createJsonResponse(201, '"ä"', { 'x-own': '1' })
    expect([type, status, headers, new TextDecoder().decode(body[0])]).toEqual([
      'response',
      201,
      { 'content-type': 'application/json', 'x-own': '1', 'content-length': '4', 'cache-control': 'no-store' },
      '"ä"',
    ])
  })

  test('takes bytes in pieces as they are', () => {
    const pieces = [Uint8Array.of(1), Uint8Array.of(2, 3)]
    const { headers, body } = createResponse(200, pieces, {})
    expect([headers['content-length'], body]).toEqual(['3', pieces])
  })

  test.each([
    ['GET', 200, false],
    ['HEAD', 200, true],
    ['GET', 204, true],
    ['GET', 205, true],
    ['GET', 304, true],
    ['GET', 404, false],
  ])('to %s of status %i goes without its body: %s', async (method, status, expected) => {
    expect(isBodiless({ status }, method)).toBe(expected)
    const response = toResponse(createResponse(status, 'text', { 'content-type': 'text/plain' }), method)
    expect([response.status, response.statusText, await response.text()]).toEqual([
      status,
      REASON_PHRASES[status] ?? '',
      expected ? '' : 'text',
    ])
  })

  test('has the reason phrase that Node.js sends', () => {
    for (const [status, phrase] of Object.entries(REASON_PHRASES)) expect(phrase).toBe(STATUS_CODES[status])
  })

  test('each error has its own status, also in its body', () => {
    for (const [code, status] of Object.entries(ERROR_STATUSES)) {
      const response = createErrorResponse(code as ErrorCode, 'why', { headers: { allow: 'GET' } })
      expect([response.status, response.headers['allow'], readJson(response)]).toEqual([
        status,
        'GET',
        { code, message: 'why', status },
      ])
      expect(REASON_PHRASES[status]).toMatch(/^[A-Z][A-Za-z ]+$/)
    }
  })
})

describe('an outcome', () => {
  test('of a handler is its response, or a connection that is reset', () => {
    const response = new Response('a')
    expect(toHandlerOutcome(response)).toEqual({ type: 'fetch-response', response })
    expect(toHandlerOutcome(Response.error())).toEqual({ type: 'connection-fault', kind: 'reset' })
  })

  test('gets more headers where it has any', async () => {
    const whole = withHeaders(createEmptyResponse(), { 'x-own': '1' }) as WireResponse
    expect(whole).toEqual({
      ...createEmptyResponse(),
      headers: { 'cache-control': 'no-store', 'x-own': '1' },
    })
    const made = new Response('a', { status: 202, headers: { 'x-own': '0', 'x-other': '2' } })
    const outcome = withHeaders(toFetchOutcome(made), { 'x-own': '1' })
    const wire = await toWireResponse(outcome as ReturnType<typeof toFetchOutcome>)
    expect([
      wire.type,
      wire.status,
      wire.headers['x-own'],
      wire.headers['x-other'],
      new TextDecoder().decode(wire.body[0]),
    ]).toEqual(['response', 202, '1', '2', 'a'])
    const fault = { type: 'connection-fault', kind: 'reset' } as const
    expect(withHeaders(fault, { 'x-own': '1' })).toBe(fault)
    const cut = { type: 'connection-fault', kind: 'truncated', response: createEmptyResponse() } as const
    expect(withHeaders(cut, { 'x-own': '1' })).toEqual({ ...cut, response: whole })
  })

  test('that is cut begins with the first half of its bytes', () => {
    const beginning = (text: string): string => new TextDecoder().decode(toBeginning(createJsonResponse(200, text)))
    expect([beginning('abcd'), beginning('abcde'), beginning('')]).toEqual(['ab', 'ab', ''])
  })
})

describe('fetch makes of', () => {
  test('a response a Response, of a handler’s its own', async () => {
    const made = new Response('a')
    expect(await toFetchResult(toFetchOutcome(made), GET)).toBe(made)
    expect((await toFetchResult(createJsonResponse(404, '{}'), GET)).status).toBe(404)
  })

  test('a broken connection a TypeError', async () => {
    for (const kind of ['network', 'reset'] as const)
      await expect(toFetchResult({ type: 'connection-fault', kind }, GET)).rejects.toThrow(
        new TypeError('Failed to fetch'),
      )
  })

  test('a timeout the end of waiting: the client’s reason, or a TypeError where it is released', async () => {
    const [client, mock] = [new AbortController(), new AbortController()]
    const wait = (aborted: AbortSignal): Response | Promise<Response> =>
      toFetchResult({ type: 'connection-fault', kind: 'timeout', released: mock.signal }, { ...GET, signal: aborted })
    const waiting = [wait(client.signal), wait(signal)]
    client.abort(new Error('enough'))
    await expect(waiting[0]).rejects.toThrow('enough')
    mock.abort()
    await expect(waiting[1]).rejects.toThrow(new TypeError('Failed to fetch'))
    await expect(wait(signal)).rejects.toThrow(TypeError)
  })

  test('a cut response its first half, and then an error', async () => {
    const response = createJsonResponse(200, 'abcd')
    const result = await toFetchResult({ type: 'connection-fault', kind: 'truncated', response }, GET)
    expect([result.status, result.statusText, result.headers.get('content-length')]).toEqual([200, 'OK', '4'])
    const reader = (result.body as ReadableStream<Uint8Array>).getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('ab')
    await expect(reader.read()).rejects.toThrow(new TypeError('terminated'))
  })

  test('anything the reason of a client that has gone before', () => {
    const gone = { ...GET, signal: AbortSignal.abort(new Error('gone')) }
    expect(() => toFetchResult(createEmptyResponse(), gone)).toThrow('gone')
  })
})

describe('a request of fetch', () => {
  const read = (body: string, limit: number, budget?: ByteBudget) =>
    toWireRequest(new Request('http://a.example/b/c?d=e#f', { method: 'POST', body })).readBody(limit, budget)

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
    expect(record.size).toBe('/b%20/c?d=e'.length + 'x-own\ng\n'.length)
    expect(wire.toRequest()).toBe(request)
  })

  test('gives as many bytes of its body as there may be', async () => {
    expect(await read('abcd', 4)).toEqual(new TextEncoder().encode('abcd'))
    expect(await read('abcd', 3)).toBe(BODY_TOO_LARGE)
    expect(await read('', 0)).toHaveLength(0)
  })

  test('takes the bytes of its body of the budget', async () => {
    const budget = new ByteBudget(6)
    expect(await read('abcd', 10, budget)).toHaveLength(4)
    expect(await read('abcd', 10, budget)).toBe(BODY_TOO_LARGE)
    expect(await read('ab', 10, budget)).toHaveLength(2)
    budget.give(1)
    expect([budget.take(2), budget.take(1), budget.take(0), budget.limit]).toEqual([false, true, true, 6])
  })

  test('whose length is told too large is not read', async () => {
    const body = new ReadableStream({ pull: () => expect.fail('it was read') }, { highWaterMark: 0 })
    const init = { method: 'POST', body, duplex: 'half', headers: { 'content-length': '5' } }
    expect(await toWireRequest(new Request('http://a.example', init as RequestInit)).readBody(4)).toBe(BODY_TOO_LARGE)
  })

  test('whose body was read is made anew with it', async () => {
    const made = toWireRequest(new Request('http://a.example/b', { method: 'PUT', body: 'x', headers: { a: 'b' } }))
    const again = made.toRequest(new TextEncoder().encode('y'))
    expect([again?.method, again?.url, again?.headers.get('a'), await again?.text()]).toEqual([
      'PUT',
      'http://a.example/b',
      'b',
      'y',
    ])
  })
})

function readJson({ body }: WireResponse): unknown {
  return JSON.parse(new TextDecoder().decode(body[0]))
}
