import type { AuthResult } from '../auth/authenticator.ts'
import { type BaseUrls, toPathBelow } from '../http/base-url.ts'
import type { ByteBudget } from '../http/byte-budget.ts'
import { type Bytes, takePieces } from '../http/bytes.ts'
import { assertNever, type Outcome } from '../http/outcome.ts'
import { type Awaitable, BODY_TOO_LARGE, isPromise, type WireRequest, whenReady } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import { isPetKey } from '../inventory/pet-id.ts'
import type { Operation } from '../operations/define-operation.ts'
import { matchOperation, type OperationMatch } from '../operations/operations.ts'
import type { MatchedFault } from '../sandbox/faults.ts'
import type { JournalInternals } from '../sandbox/journal.ts'
import { type Exchange, type JournalFault, LARGEST_JOURNAL_BODY } from '../sandbox/journal-entry.ts'
import type { SandboxInternals } from '../sandbox/sandbox.ts'

/** One request on its way through the pipeline. */
export interface RequestContext {
  readonly request: WireRequest
  readonly sandbox: SandboxInternals
  readonly auth: AuthResult
  /** Where the path below the base path leads. */
  readonly match: OperationMatch
  readonly operation: Operation | undefined
  /** What the journal keeps, written on the way. */
  readonly exchange: Exchange
  /** Where the body can still be read from; handlers of the user's own get a copy. */
  bodySource: Pick<WireRequest, 'readBody'>
  /** The body, once it was asked for. It is read once. */
  body: Awaitable<Bytes | typeof BODY_TOO_LARGE> | undefined
  /** What the bodies share that handlers of the user's own are asked with. */
  readonly uploads: ByteBudget
  /** Gives back what the body took of it. */
  release: (() => void) | undefined
}

export interface RequestContextParts {
  readonly sandbox: SandboxInternals
  readonly auth: AuthResult
  readonly bases: BaseUrls
  readonly uploads: ByteBudget
  /** Milliseconds since 1970. */
  readonly time: number
}

export function createRequestContext(
  request: WireRequest,
  { sandbox, auth, bases, uploads, time }: RequestContextParts,
): RequestContext {
  const match = matchOperation(request.method, toPathBelow(bases, request.path))
  const operation = match.kind === 'found' ? match.route : undefined
  const petId =
    match.kind === 'found' && operation?.petIdOf?.in === 'path' ? match.params[operation.petIdOf.name] : undefined
  const exchange: Exchange = {
    time,
    duration: 0,
    sandbox: sandbox.controls.name,
    operation: operation?.id,
    petId: petId !== undefined && isPetKey(petId) ? petId : undefined,
    request: request.toRecord(),
    body: undefined,
    answer: undefined,
    fault: undefined,
    id: 0,
    weight: 0,
  }
  return {
    request,
    sandbox,
    auth,
    match,
    operation,
    exchange,
    bodySource: request,
    body: undefined,
    uploads,
    release: undefined,
  }
}

/** The body, which the journal keeps as far as it was read. */
export function readBody(context: RequestContext, limit: number): Awaitable<Bytes | typeof BODY_TOO_LARGE> {
  context.body ??= whenReady(context.bodySource.readBody(limit), (body) => {
    if (body !== BODY_TOO_LARGE) context.sandbox.journal.addBody(context.exchange, body)
    return body
  })
  return context.body
}

/**
 * Reads for the journal the body that an early response, a fault's or a 401, had no need of. The response does not wait
 * for a client that is still sending, and nobody hears of one that goes away meanwhile.
 * @returns What is left to wait for.
 */
export function keepBody(context: RequestContext): Awaitable<unknown> {
  const { request, body } = context
  if (body !== undefined || request.method === 'GET' || request.method === 'HEAD') return undefined
  // A client that waits for a 100 (Continue) was refused without one: it sends nothing.
  if (request.header('expect') !== undefined) return undefined
  const kept = readBody(context, LARGEST_JOURNAL_BODY)
  return isPromise(kept) ? kept.catch(() => {}) : undefined
}

export function toJournalFault({ id, status, error }: MatchedFault, { statuses }: Operation): JournalFault {
  const listed: readonly number[] = statuses
  return {
    id,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    inContract: status === undefined || listed.includes(status),
  }
}

/** Writes into an exchange what the client got: nothing where its connection broke. */
export function recordOutcome(
  { exchange, sandbox, request }: Pick<RequestContext, 'exchange' | 'sandbox' | 'request'>,
  outcome: Outcome,
): void {
  switch (outcome.type) {
    case 'response':
      exchange.answer = cutBody(outcome)
      return
    case 'fetch-response':
      recordFetchResponse(exchange, { response: outcome.response, journal: sandbox.journal, request })
      return
    case 'connection-fault':
      if (outcome.kind === 'truncated') exchange.answer = cutBody(outcome.response)
      return
    default:
      assertNever(outcome)
  }
}

/** What is short is kept as it is, and not copied. */
function cutBody(response: WireResponse): WireResponse {
  const body = takePieces(response.body, LARGEST_JOURNAL_BODY)
  return body === response.body ? response : { ...response, body }
}

/** The body is recorded when it is there: nobody waits for it. */
function recordFetchResponse(
  exchange: Exchange,
  {
    response,
    journal,
    request,
  }: {
    response: Response
    journal: Pick<JournalInternals, 'addAnswerBody'>
    request: Pick<WireRequest, 'signal'>
  },
): void {
  exchange.answer = {
    type: 'response',
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: [],
  }
  const copy = response.clone().body
  if (copy === null) return
  void readBeginning(copy, request.signal()).then(
    (body) => journal.addAnswerBody(exchange, body),
    () => {},
  )
}

/** A stream may have no end: the rest of a long one is not waited for, nor of one whose client has gone. */
async function readBeginning(stream: ReadableStream<Uint8Array>, gone: AbortSignal): Promise<readonly Bytes[]> {
  const pieces: Bytes[] = []
  const reader = stream.getReader()
  const stop = (): void => void reader.cancel().catch(() => {})
  if (gone.aborted) stop()
  gone.addEventListener('abort', stop, { once: true })
  let left = LARGEST_JOURNAL_BODY
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    // One byte more than is kept shows that there is more.
    pieces.push(new Uint8Array(next.value.subarray(0, left + 1)))
    left -= next.value.byteLength
    if (left >= 0) continue
    stop()
    break
  }
  return pieces
}
