import type { Awaitable } from '../http/awaitable.ts'
import { readBeginning } from '../http/bytes.ts'
import { type Outcome, toFetchOutcome, toWireResponse } from '../http/outcome.ts'
import { RequestAborted, type WireRequest } from '../http/wire-request.ts'
import { toResponse } from '../http/wire-response.ts'
import type { Exchange } from './exchange.ts'

/** In bytes. A truncated response of a handler or proxy is the first half of this much: it may be endless. */
const LARGEST_TRUNCATED = 1024 ** 2

/** Breaks the response off in the middle of its body. */
export function truncate(outcome: Outcome, request: WireRequest): Awaitable<Outcome> {
  if (outcome.type === 'connection-fault') return outcome
  if (outcome.type === 'response') return { type: 'connection-fault', kind: 'truncated', response: outcome }
  const { response } = outcome
  const limits = { limit: LARGEST_TRUNCATED, signal: request.signal(), isBreakEnd: true }
  return readBeginning(response.body, limits).then(({ bytes }) => truncate(toWireResponse(response, bytes), request))
}

/** Sends the body at the `bytesPerSecond` of the fault: a piece each 100 ms of the mock's clock, while somebody reads it. */
export function slowDown(outcome: Outcome, exchange: Exchange, bytesPerSecond: number): Outcome {
  if (outcome.type === 'connection-fault') return outcome
  const { request, sandbox, mock } = exchange
  const response = outcome.type === 'response' ? toResponse(outcome, request.method) : outcome.response
  const reader = response.body?.getReader()
  if (reader === undefined) return outcome
  const signal = request.signal()
  const size = Math.ceil(bytesPerSecond / 10)
  const canceled = new AbortController()
  let wait = 0
  let rest = new Uint8Array()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(stream) {
        while (rest.byteLength === 0) {
          const { done, value } = await reader.read()
          if (done) return stream.close()
          rest = value
        }
        const hasPassed = wait === 0 || (await mock.clock.sleep(wait, canceled.signal, signal, sandbox.released))
        signal.throwIfAborted()
        if (!hasPassed) throw new RequestAborted('Failed to send a slow body: its sandbox was reset.')
        const piece = rest.slice(0, size)
        rest = rest.subarray(size)
        wait = (piece.byteLength / bytesPerSecond) * 1000
        stream.enqueue(piece)
      },
      cancel() {
        canceled.abort()
        return reader.cancel()
      },
    },
    // Nothing is sent ahead of the reader.
    { highWaterMark: 0 },
  )
  return toFetchOutcome(new Response(body, response))
}
