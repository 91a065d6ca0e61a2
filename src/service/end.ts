import { type Awaitable, whenReady } from '../http/awaitable.ts'
import { type Bytes, NO_BYTES, toOwned } from '../http/bytes.ts'
import { BROKEN, type Outcome, toWireResponse, withHeaders } from '../http/outcome.ts'
import { toPreferenceApplied } from '../http/prefer.ts'
import { BODY_TOO_LARGE } from '../http/wire-request.ts'
import type { HeaderFields, WireResponse } from '../http/wire-response.ts'
import { type JournalRecord, LARGEST_ANSWER_BODY, LARGEST_JOURNAL_BODY } from '../sandbox/journal-entry.ts'
import { type Exchange, isObsolete, toPetKey } from './exchange.ts'
import { slowDown, toRecordedFault, truncate } from './fault-effects.ts'
import { noteBody } from './note-body.ts'

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
  const { operation, limitHeaders, preferences, parts } = exchange
  const sunset = operation?.deprecated === true ? parts.options.sunset?.toUTCString() : undefined
  if (sunset === undefined && limitHeaders === undefined && preferences === undefined) return undefined
  const applied = preferences && outcome.type === 'response' ? toPreferenceApplied(preferences, outcome.status) : {}
  return { ...(sunset !== undefined && { sunset }), ...limitHeaders, ...applied }
}

function toRecord(exchange: Exchange, outcome: Outcome): JournalRecord {
  const { parts, sandbox, request, operation, petId, pathBelow, time, start, by, auth } = exchange
  return {
    id: 0,
    time,
    // The clock goes back when it returns from virtual to real time.
    duration: Math.max(0, parts.clock.ticks() - start),
    sandbox: sandbox.controls.name,
    operation: operation?.id,
    petId: toPetKey(petId),
    resource: pathBelow ?? request.path,
    request: request.toRecord(),
    body: toRecordedBody(exchange),
    answer: toRecordedAnswer(outcome),
    fault: toRecordedFault(exchange),
    by,
    keyProblem: auth.problem,
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
