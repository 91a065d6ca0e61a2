import { describe, expect, test, vi } from 'vitest'
import { ByteBudget } from '../../src/http/byte-budget.ts'
import { toFetchResult } from '../../src/http/to-fetch-result.ts'
import { BODY_TOO_LARGE, collectBody, RequestAborted, toWireRequest } from '../../src/http/wire-request.ts'

describe.each([
  ['with a stream', true],
  ['without one, as in Firefox', false],
])('the body of a request %s', (_, hasStream) => {
  const read = (length: number, limit: number, budget?: ByteBudget) => {
    const request = new Request('http://a.example/', { method: 'POST', body: new Uint8Array(length) })
    if (!hasStream) Object.defineProperty(request, 'body', { value: undefined })
    return toWireRequest(request).readBody(limit, budget)
  }

  test('is read up to its limit', async () => {
    expect([await read(5, 5), await read(6, 5)]).toEqual([new Uint8Array(5), BODY_TOO_LARGE])
  })

  test('is read as long as the budget lasts, from which it takes its bytes', async () => {
    const budget = new ByteBudget(10)
    expect([await read(6, 100, budget), await read(5, 100, budget)]).toEqual([new Uint8Array(6), BODY_TOO_LARGE])
    expect([await read(4, 100, budget), budget.take(1)]).toEqual([new Uint8Array(4), false])
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

describe('a stream', () => {
  test('that is none is an empty body', async () => {
    expect(await collectBody(null, 0)).toHaveLength(0)
  })

  test('that is too long is cancelled, also if that fails', async () => {
    let cancelled = 0
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(3)),
      cancel() {
        cancelled += 1
        throw new Error('nobody hears of it')
      },
    })
    expect([await collectBody(stream, 5), cancelled]).toEqual([BODY_TOO_LARGE, 1])
  })
})

test.each(['the client gives up', 'the client is let go'])('a time-out lasts until %s', async (reason) => {
  const [client, sandbox] = [new AbortController(), new AbortController()]
  const fault = { type: 'connection-fault', kind: 'timeout', released: sandbox.signal } as const
  const events: string[] = []
  const failed = Promise.resolve(toFetchResult(fault, { method: 'GET', signal: client.signal })).catch(({ name }) => {
    events.push(name)
  })
  await new Promise((resolve) => setTimeout(resolve, 0))
  events.push(reason)
  ;(reason === 'the client gives up' ? client : sandbox).abort()
  await failed
  expect(events).toEqual([reason, reason === 'the client gives up' ? 'AbortError' : 'TypeError'])
})
