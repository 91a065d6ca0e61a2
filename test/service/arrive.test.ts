import fc from 'fast-check'
import { HttpResponse, http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { toWireRequest } from '../../src/http/fetch-request.ts'
import type { WireRequest } from '../../src/http/wire-request.ts'
import { createMock } from '../../src/index.ts'
import { toService } from '../../src/service/mock.ts'
import { update } from '../ask.ts'

const AUTHORIZED = { authorization: 'Bearer demo-key' }
const LARGEST_ANSWER = 16_384

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

  test('of a client that goes away while it waits has no response, and takes its time', async () => {
    const mock = createMock({ delay: 1000 })
    mock.clock.useVirtual()
    const leave = new AbortController()
    const answered = toService(mock).answer(
      toWireRequest(new Request('http://a/v1/inventory', { signal: leave.signal })),
    )
    leave.abort()
    expect(await answered).toEqual({ type: 'connection-fault', kind: 'network' })
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
  test('is in the journal up to 16,384 bytes, however it comes', async () => {
    const size = fc.oneof(fc.integer({ min: 1, max: 10_000 }), fc.constantFrom(1, 16_383, 16_384, 16_385))
    await fc.assert(
      fc.asyncProperty(fc.array(size, { maxLength: 4 }), async (sizes) => {
        const { mock, last } = createAnswering(() => toStream(sizes))
        await (await mock.fetch('/v1/own')).arrayBuffer()
        const sent = sizes.reduce((sum, each) => sum + each, 0)
        await vi.waitFor(() => expect(last()?.body).toHaveLength(Math.min(sent, LARGEST_ANSWER)))
        expect(last()?.isCut ?? false).toBe(sent > LARGEST_ANSWER)
      }),
      { numRuns: 30 },
    )
  })

  test('is not waited for to its end, where it has none', async () => {
    const pull = vi.fn((stream: ReadableStreamDefaultController) => stream.enqueue(new Uint8Array(10_000)))
    const { mock, last } = createAnswering(() => new ReadableStream({ pull }))
    await mock.fetch('/v1/own')
    await vi.waitFor(() => expect(last()?.body).toHaveLength(LARGEST_ANSWER))
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
  test('may be too large for the operation behind them, and is cut in the journal', async () => {
    const mock = createMock({ handlers: [http.patch('*/1', async ({ request }) => void (await request.text()))] })
    const headers = { ...AUTHORIZED, 'content-type': 'application/json' }
    for (const length of [65_536, 65_537]) {
      const body = '{"quantity":5}'.padEnd(length)
      const { status } = await mock.fetch('/v1/inventory/1', { method: 'PATCH', headers, body })
      expect(status).toBe(length === 65_536 ? 200 : 400)
      const { request } = mock.journal.last() ?? {}
      expect([request?.body.length, request?.isCut ?? false]).toEqual([65_536, length > 65_536])
    }
  })
})
