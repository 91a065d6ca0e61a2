import { type Awaitable, whenReady } from '../http/awaitable.ts'
import { type Bytes, join, NO_BYTES, toOwned } from '../http/bytes.ts'
import { BROKEN, type Outcome, toFetchOutcome, toWireResponse, withHeaders } from '../http/outcome.ts'
import { toPreferenceApplied } from '../http/prefer.ts'
import { BODY_TOO_LARGE } from '../http/wire-request.ts'
import type { HeaderFields, WireResponse } from '../http/wire-response.ts'
import {
  type JournalFault,
  type JournalRecord,
  LARGEST_ANSWER_BODY,
  LARGEST_JOURNAL_BODY,
} from '../sandbox/journal-entry.ts'
import { type Exchange, isObsolete, PREFERRED, toKnownId } from './exchange.ts'
import { slowDown, truncate } from './fault-body.ts'

/** Ends an exchange: shapes the outcome, and records it in the journal. */
export function end(exchange: Exchange, given: Outcome): Awaitable<Outcome> {
  const shaped = exchange.fault?.error === 'truncated' ? truncate(given, exchange.request) : given
  return whenReady(shaped, (outcome) => record(exchange, outcome))
}

function record(exchange: Exchange, given: Outcome): Outcome {
  const { sandbox, request, fault } = exchange
  if (isObsolete(exchange)) return abandon(exchange, given)
  const added = toAddedHeaders(exchange, given)
  const outcome = added === undefined ? given : withHeaders(given, added)
  const recorded = toRecord(exchange, outcome)
  request.recorded = recorded
  sandbox.journal.record(recorded)
  const noted = noteBody(outcome, { exchange, recorded })
  return fault?.bytesPerSecond === undefined ? noted : slowDown(noted, exchange, fault.bytesPerSecond)
}

/** A request that has no response when its sandbox is reset fails: it must not reach into the next test. */
function abandon(exchange: Exchange, outcome: Outcome): Outcome {
  if (outcome.type === 'fetch-response') outcome.response.body?.cancel().catch(() => {})
  return createObsolete(exchange)
}

/** The broken connection of a request whose sandbox was reset or removed. In a process, the error says so. */
export function createObsolete({ sandbox }: Exchange): Outcome {
  const reason = `other side closed: the sandbox ${sandbox.controls.name} was reset or removed before the response`
  return { ...BROKEN, cause: Object.assign(new Error(reason), { code: 'UND_ERR_SOCKET' }) }
}

/** Those of a rate limit, of `Prefer`, and of a deprecated operation (RFC 8594), whoever answered. */
function toAddedHeaders(exchange: Exchange, outcome: Outcome): HeaderFields | undefined {
  const { operation, limitHeaders, preferences, mock } = exchange
  const sunset = operation?.deprecated === true ? mock.options.sunset?.toUTCString() : undefined
  if (sunset === undefined && limitHeaders === undefined && preferences === undefined) return undefined
  const applied = preferences && outcome.type === 'response' ? toPreferenceApplied(preferences, outcome.status) : {}
  return { ...(sunset !== undefined && { sunset }), ...limitHeaders, ...applied }
}

function toRecord(exchange: Exchange, outcome: Outcome): JournalRecord {
  const { mock, sandbox, request, operation, petId, pathBelow, time, start, by } = exchange
  return {
    id: 0,
    time,
    // The clock goes back when it returns from virtual to real time.
    duration: Math.max(0, mock.clock.ticks() - start),
    sandbox: sandbox.controls.name,
    operation: operation?.id,
    petId: toKnownId(petId),
    resource: pathBelow ?? request.path,
    request: request.toRecord(),
    body: toRecordedBody(exchange),
    answer: toRecordedAnswer(outcome),
    fault: toRecordedFault(exchange),
    by,
  }
}

function toRecordedBody({ request, body }: Exchange): Bytes | undefined {
  if (request.method === 'GET' || request.method === 'HEAD') return NO_BYTES
  return body === undefined || body === BODY_TOO_LARGE ? undefined : toOwned(cut(body, LARGEST_JOURNAL_BODY))
}

/** `undefined` if the client gets none. */
function toRecordedAnswer(outcome: Outcome): WireResponse | undefined {
  if (outcome.type === 'fetch-response') return toWireResponse(outcome.response, NO_BYTES)
  const response = outcome.type === 'response' ? outcome : 'response' in outcome ? outcome.response : undefined
  if (response === undefined || response.body.byteLength <= LARGEST_ANSWER_BODY) return response
  return { ...response, body: toOwned(cut(response.body, LARGEST_ANSWER_BODY)) }
}

/** One byte more than the journal shows, which tells that there was more. */
function cut(body: Bytes, limit: number): Bytes {
  return body.subarray(0, limit + 1)
}

function toRecordedFault({ fault, operation }: Exchange): JournalFault | undefined {
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

/**
 * Adds the beginning of a stream to its record, with each piece that passes. As much as the journal keeps is read ahead,
 * because many clients never read a body. The stream holds the exchange, and so its request, until it ends.
 */
function noteBody(
  outcome: Outcome,
  { exchange, recorded }: { readonly exchange: Exchange; readonly recorded: JournalRecord },
): Outcome {
  if (outcome.type !== 'fetch-response' || outcome.response.body === null) return outcome
  let noted = NO_BYTES
  const note = new TransformStream<Uint8Array, Uint8Array>(
    {
      transform(piece, stream) {
        stream.enqueue(piece)
        // A server also sends the text of a handler's stream, which fetch refuses.
        if (noted.length > LARGEST_ANSWER_BODY || !ArrayBuffer.isView(piece)) return
        noted = join([noted, piece.subarray(0, LARGEST_ANSWER_BODY + 1 - noted.length)])
        exchange.sandbox.journal.addAnswerBody(recorded, noted)
      },
    },
    undefined,
    { highWaterMark: LARGEST_ANSWER_BODY, size: ({ byteLength = 1 }) => byteLength },
  )
  return toFetchOutcome(new Response(outcome.response.body.pipeThrough(note), outcome.response))
}
