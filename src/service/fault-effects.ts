import type { Awaitable } from '../http/awaitable.ts'
import { readBeginning } from '../http/bytes.ts'
import { type Outcome, toFetchOutcome, toWireResponse } from '../http/outcome.ts'
import { RequestAborted, type WireRequest } from '../http/wire-request.ts'
import { toResponse } from '../http/wire-response.ts'
import { createFaultResponse } from '../sandbox/fault.ts'
import type { JournalFault } from '../sandbox/journal-entry.ts'
import { type Exchange, toPetKey } from './exchange.ts'

// What a fault does to a request, in the order in which it does it.

/** Stands for the id of a fault that `Prefer` asks for. Those of a sandbox count from 1. */
const PREFERRED = 0

/**
 * Notes the fault that the request triggers. An error that the request prefers is one, in place of those of the sandbox; a
 * preferred success changes nothing.
 */
export function matchFault(exchange: Exchange): undefined {
  const { preferences, sandbox, request, operation, petId, pathBelow, time } = exchange
  const code = preferences?.code ?? 0
  if (code >= 300) exchange.fault = { id: PREFERRED, status: code }
  if (code >= 300 || sandbox.faults.isEmpty || pathBelow === undefined) return
  const { method, path } = request
  const selected = { operation: operation?.id, method, resource: pathBelow, path, petId: toPetKey(petId), now: time }
  const matched = sandbox.faults.take(selected, sandbox.random)
  exchange.fault = matched?.fault
  exchange.limitHeaders = matched?.headers
}

/**
 * A fault's status or broken connection. It comes before the key check, because a real outage also affects requests with an
 * invalid key. What a fault changes of a response comes at the end: `truncated`, a slow body, the headers of a rate limit.
 */
export function fail({ fault, sandbox, parts }: Exchange): Outcome | undefined {
  if (fault?.status !== undefined) return createFaultResponse({ ...fault, status: fault.status }, parts.options.rules)
  if (fault?.error === undefined || fault.error === 'truncated') return undefined
  if (fault.error !== 'timeout') return { type: 'connection-fault', kind: fault.error }
  return { type: 'connection-fault', kind: 'timeout', released: sandbox.released }
}

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
  const { request, sandbox, parts } = exchange
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
        const hasPassed = wait === 0 || (await parts.clock.sleep(wait, canceled.signal, signal, sandbox.released))
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

/** The fault in the journal: one that `Prefer` asked for is none. */
export function toRecordedFault({ fault, operation }: Exchange): JournalFault | undefined {
  if (fault === undefined || fault.id === PREFERRED) return undefined
  const { id, status, error } = fault
  const listed: readonly number[] = operation?.statuses ?? []
  return {
    id,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    inContract: status === undefined || listed.includes(status),
  }
}
