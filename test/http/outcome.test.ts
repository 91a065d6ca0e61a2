import { STATUS_CODES } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { NO_BYTES } from '../../src/http/bytes.ts'
import { toFetchResult } from '../../src/http/fetch-result.ts'
import { toBeginning, toFetchOutcome, toWireResponse, withHeaders } from '../../src/http/outcome.ts'
import {
  createJsonResponse,
  createResponse,
  isBodiless,
  REASON_PHRASES,
  toResponse,
  type WireResponse,
} from '../../src/http/wire-response.ts'

const signal = new AbortController().signal
const EMPTY = createResponse(204, '', {})
const GET = { method: 'GET', signal }

describe('a response', () => {
  test('has its type, the length of its bytes, and is not to be stored', () => {
    const { type, status, headers, body } = createJsonResponse(201, '"ä"', { 'x-own': '1' })
    expect([type, status, headers, new TextDecoder().decode(body)]).toEqual([
      'response',
      201,
      { 'content-type': 'application/json', 'x-own': '1', 'content-length': '4', 'cache-control': 'no-store' },
      '"ä"',
    ])
  })

  test('shares the bytes that it is given', () => {
    const bytes = Uint8Array.of(1, 2, 3)
    const { headers, body } = createResponse(200, bytes, {})
    expect(headers['content-length']).toBe('3')
    expect(body).toBe(bytes)
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
})

describe('an outcome', () => {
  test('gets more headers where it has any', async () => {
    const whole = withHeaders(EMPTY, { 'x-own': '1' }) as WireResponse
    expect(whole).toEqual({ ...EMPTY, headers: { 'cache-control': 'no-store', 'x-own': '1' } })
    const made = new Response('a', { status: 202, headers: { 'x-own': '0', 'x-other': '2' } })
    const { response } = withHeaders(toFetchOutcome(made), { 'x-own': '1' }) as ReturnType<typeof toFetchOutcome>
    expect(toWireResponse(response, NO_BYTES)).toMatchObject({ status: 202, headers: { 'x-own': '1', 'x-other': '2' } })
    expect(await response.text()).toBe('a')
    const fault = { type: 'connection-fault', kind: 'reset' } as const
    expect(withHeaders(fault, { 'x-own': '1' })).toBe(fault)
    const cut = { type: 'connection-fault', kind: 'truncated', response: EMPTY } as const
    expect(withHeaders(cut, { 'x-own': '1' })).toEqual({ ...cut, response: whole })
  })

  test('that is cut begins with the first half of its bytes', () => {
    const beginning = (text: string): string => new TextDecoder().decode(toBeginning(createJsonResponse(200, text)))
    expect([beginning('abcd'), beginning('abcde'), beginning('')]).toEqual(['ab', 'ab', ''])
  })
})

describe('fetch makes of', () => {
  test('a response a Response, of a handler’s its own', async () => {
    expect(await (await toFetchResult(toFetchOutcome(new Response('a')), GET)).text()).toBe('a')
    expect((await toFetchResult(createJsonResponse(404, '{}'), GET)).status).toBe(404)
  })

  test('a broken connection a TypeError', async () => {
    for (const [kind, code] of [['network', 'UND_ERR_SOCKET'] as const, ['reset', 'ECONNRESET'] as const]) {
      const error = await toFetchResult({ type: 'connection-fault', kind }, GET).catch((reason: unknown) => reason)
      expect(error).toEqual(new TypeError('Failed to fetch', { cause: expect.objectContaining({ code }) }))
    }
  })

  test('a timeout the end of waiting: the client’s reason, or a TypeError where it is released', async () => {
    const [client, mock] = [new AbortController(), new AbortController()]
    const wait = (aborted: AbortSignal): Promise<unknown> =>
      toFetchResult({ type: 'connection-fault', kind: 'timeout', released: mock.signal }, { ...GET, signal: aborted })
    const onError = vi.fn()
    const [left, waiting] = [wait(client.signal), wait(signal).catch(onError)]
    client.abort(new Error('enough'))
    await expect(left).rejects.toThrow('enough')
    expect(onError).not.toHaveBeenCalled()
    mock.abort()
    await waiting
    expect(onError.mock.calls).toMatchObject([[{ name: 'TypeError', cause: { code: 'UND_ERR_SOCKET' } }]])
    await expect(wait(signal)).rejects.toThrow(TypeError)
  })

  test('a cut response its first half, and then an error', async () => {
    const response = createJsonResponse(200, 'abcd')
    const result = await toFetchResult({ type: 'connection-fault', kind: 'truncated', response }, GET)
    expect([result.status, result.statusText, result.headers.get('content-length')]).toEqual([200, 'OK', '4'])
    const reader = (result.body as ReadableStream<Uint8Array>).getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('ab')
    await expect(reader.read()).rejects.toMatchObject({ message: 'terminated', cause: { code: 'UND_ERR_SOCKET' } })
  })

  test('anything the reason of a client that has gone before', async () => {
    const gone = { ...GET, signal: AbortSignal.abort(new Error('gone')) }
    await expect(toFetchResult(EMPTY, gone)).rejects.toThrow('gone')
  })
})
