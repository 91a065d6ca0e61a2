import fc from 'fast-check'
import { HttpResponse, http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { createAuthenticator } from '../../src/auth/authenticator.ts'
import { Budget } from '../../src/http/bytes.ts'
import { BODY_TOO_LARGE, toWireRequest, type WireRequest } from '../../src/http/wire-request.ts'
import { createMock } from '../../src/index.ts'
import { createClock } from '../../src/sandbox/clock.ts'
import { toService } from '../../src/service/mock.ts'
import { parseOptions } from '../../src/service/mock-options.ts'
import { LARGEST_HANDLER_BODY, RequestContext } from '../../src/service/request-context.ts'
import { runHandlers } from '../../src/service/run-handlers.ts'
import { update } from '../ask.ts'

const AUTHORIZED = { authorization: 'Bearer demo-key' }
const LARGEST_KEPT = 65_536

describe('the entry of a request', () => {
  test.each(['abc', '007', '9223372036854775808'])('to /v1/inventory/%s names no pet', async (petId) => {
    const mock = createMock()
    expect((await mock.fetch(`/v1/inventory/${petId}`, { method: 'PATCH', headers: AUTHORIZED })).status).toBe(400)
    expect(mock.journal.last()).not.toHaveProperty('petId')
  })

  test.each([
    [{ status: 503 }, { status: 503, inContract: false }],
    [{ status: 404 }, { status: 404, inContract: true }],
    [{ error: 'reset' }, { error: 'reset', inContract: true }],
  ] as const)('with the fault %j says %j', async (fault, entry) => {
    const mock = createMock()
    mock.faults.add(fault)
    await update(mock, 1, 5).catch(() => {})
    expect(mock.journal.last()?.fault).toStrictEqual({ id: 1, ...entry })
  })

  test('has what a truncated response would have been, and nothing of a broken connection', async () => {
    const mock = createMock()
    mock.faults.add({ error: 'truncated', times: 1 })
    mock.faults.add({ error: 'network' })
    await update(mock, 1, 5)
    await update(mock, 1, 5).catch(() => {})
    const truncated = { status: 200, body: '{"petId":1,"quantity":5,"status":"available"}' }
    expect(mock.journal.entries.map(({ answer }) => answer)).toMatchObject([truncated, undefined])
  })

  test('of a large body, in a delay, is read by a handler that is added meanwhile', async () => {
    const mock = createMock({ delay: 1000 })
    mock.clock.useVirtual()
    const answered = mock.fetch('/v1/orders', {
      method: 'POST',
      headers: AUTHORIZED,
      body: 'x'.repeat(LARGEST_KEPT + 1),
    })
    mock.use(http.post('*/orders', async ({ request }) => HttpResponse.json((await request.text()).length)))
    await mock.clock.advance(1000)
    expect(await (await answered).json()).toBe(LARGEST_KEPT + 1)
  })

  test('of a client that goes away while it waits has no response, and takes its time', async () => {
    const mock = createMock({ delay: 1000 })
    mock.clock.useVirtual()
    const leave = new AbortController()
    const answered = toService(mock).answer(
      toWireRequest(new Request('http://a/v1/inventory', { signal: leave.signal })),
    )
    leave.abort()
    await expect(answered).rejects.toThrow('the client disconnected during the delay')
    expect(mock.journal.last()).toMatchObject({ operation: 'listInventory' })
    expect(mock.journal.last()).not.toHaveProperty('answer')
  })
})

test.each([
  ['GET', '/v1/inventory', 0],
  ['HEAD', '/v1/inventory', 0],
  ['PATCH', '/v1/inventory/1', 1],
  ['POST', '/v1/inventory', 1],
])('%s %s has its body read %i times', async (method, path, times) => {
  const headers = { ...AUTHORIZED, 'content-type': 'application/json' }
  const request = toWireRequest(new Request(`http://a${path}`, { method, headers }))
  const read = vi.fn(async () => new TextEncoder().encode('{"quantity":5}'))
  const mock = createMock()
  await toService(mock).answer(Object.assign(request, { readBody: read } as Partial<WireRequest>))
  await vi.waitFor(() => expect(mock.journal.last()?.request.body.length).toBe(times * 14))
  expect(read).toHaveBeenCalledTimes(times)
})

describe('the response of a handler of the user’s own', () => {
  test('is in the journal up to 65,536 bytes, however it comes', async () => {
    const size = fc.oneof(fc.integer({ min: 1, max: 40_000 }), fc.constantFrom(1, 65_535, 65_536, 65_537))
    await fc.assert(
      fc.asyncProperty(fc.array(size, { maxLength: 4 }), async (sizes) => {
        const { mock, last } = createAnswering(() => toStream(sizes))
        await (await mock.fetch('/v1/own')).arrayBuffer()
        const sent = sizes.reduce((sum, each) => sum + each, 0)
        await vi.waitFor(() => expect(last()?.body).toHaveLength(Math.min(sent, LARGEST_KEPT)))
        expect(last()?.isCut ?? false).toBe(sent > LARGEST_KEPT)
      }),
      { numRuns: 30 },
    )
  })

  test('is not waited for to its end, where it has none', async () => {
    const pull = vi.fn((stream: ReadableStreamDefaultController) => stream.enqueue(new Uint8Array(10_000)))
    const { mock, last } = createAnswering(() => new ReadableStream({ pull }))
    await mock.fetch('/v1/own')
    await vi.waitFor(() => expect(last()?.body).toHaveLength(LARGEST_KEPT))
    expect(pull.mock.calls.length).toBeLessThan(12)
  })

  test.each(['abort', 'cancel'])('ends where its client ends it: %s', async (how) => {
    const cancel = vi.fn()
    const start = (stream: ReadableStreamDefaultController) => stream.enqueue(new Uint8Array(3))
    const { mock, last } = createAnswering(() => new ReadableStream({ start, cancel }))
    const leave = new AbortController()
    const { body } = await mock.fetch('/v1/own', { signal: leave.signal })
    if (how === 'cancel') await body?.cancel()
    else leave.abort()
    await vi.waitFor(() => expect([cancel.mock.calls.length, last()?.body.length]).toEqual([1, 3]))
    if (how === 'abort') await expect(body?.getReader().read()).rejects.toThrow('aborted')
  })
})

function createAnswering(toBody: () => ReadableStream) {
  const mock = createMock()
  mock.use(http.get('*/v1/own', () => new HttpResponse(toBody(), { headers: { 'content-type': 'text/plain' } })))
  return { mock, last: () => mock.journal.last()?.answer }
}

function toStream(sizes: readonly number[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(stream) {
      for (const size of sizes) stream.enqueue(new Uint8Array(size).fill(0x61))
      stream.close()
    },
  })
}

describe('a body for handlers', () => {
  const open = (uploads: Budget, parts: Partial<WireRequest> = {}): RequestContext => {
    const request = toWireRequest(new Request('http://a/v1/own', { method: 'POST', body: 'x'.repeat(14) }))
    return new RequestContext(Object.assign(request, parts), {
      options: parseOptions({}),
      authenticator: createAuthenticator(['demo-key'], false),
      sandboxes: toService(createMock()).sandboxes,
      clock: createClock(),
      streams: new Budget(64),
      uploads,
    })
  }
  const read = (context: RequestContext) => context.readBody(LARGEST_HANDLER_BODY)

  test('takes its bytes of the limit of all bodies until its request is recorded', async () => {
    const uploads = new Budget(20)
    const first = open(uploads)
    expect([await read(first), await read(open(uploads))]).toEqual([expect.anything(), BODY_TOO_LARGE])
    expect(await runHandlers(open(uploads))).toMatchObject({ status: 400 })
    first.record(undefined)
    await vi.waitFor(async () => expect(await read(open(uploads))).toHaveLength(14))
  })

  test('gives back its bytes also where they arrive after its request was recorded', async () => {
    const uploads = new Budget(20)
    const { promise, resolve } = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
    const readBody = async (_: number, budget?: { take(bytes: number): boolean }) => {
      const bytes = await promise
      budget?.take(bytes.byteLength)
      return bytes
    }
    const context = open(uploads, { readBody })
    const reading = read(context)
    context.record(undefined)
    resolve(new Uint8Array(14))
    expect(await reading).toHaveLength(14)
    await vi.waitFor(() => expect(uploads.take(20)).toBe(true))
  })

  test('may be too large for the operation behind them, and for the journal', async () => {
    const mock = createMock({ handlers: [http.patch('*/1', async ({ request }) => void (await request.text()))] })
    const headers = { ...AUTHORIZED, 'content-type': 'application/json' }
    for (const length of [65_536, 65_537]) {
      const status = length === 65_536 ? 200 : 400
      const body = '{"quantity":5}'.padEnd(length)
      expect((await mock.fetch('/v1/inventory/1', { method: 'PATCH', headers, body })).status).toBe(status)
      expect(mock.journal.last()?.request.body.length).toBe(status === 200 ? length : 0)
    }
  })
})
