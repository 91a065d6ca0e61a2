import type { AuthResult } from '../auth/authenticator.ts'
import { toPathBelow } from '../http/base-url.ts'
import { type ByteBudget, type Bytes, NO_BYTES, readBeginning, takePieces } from '../http/bytes.ts'
import { assertNever, type Outcome } from '../http/outcome.ts'
import {
  type Awaitable,
  BODY_TOO_LARGE,
  isPromise,
  RequestAborted,
  type WireRequest,
  whenReady,
} from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import { isPetKey } from '../inventory/pet.ts'
import type { Operation } from '../operations/define-operation.ts'
import { matchOperation, type OperationMatch } from '../operations/operations.ts'
import { findPetId, LARGEST_BODY } from '../operations/run-operation.ts'
import type { ServiceClock } from '../sandbox/clock.ts'
import type { MatchedFault } from '../sandbox/faults.ts'
import type { JournalInternals } from '../sandbox/journal.ts'
import { type Exchange, LARGEST_JOURNAL_BODY } from '../sandbox/journal-entry.ts'
import type { SandboxInternals } from '../sandbox/sandbox.ts'
import type { ParsedOptions } from './parse-options.ts'

// Captured at load, so that a test runner's fake timers do not stop the mock.
const { setTimeout, clearTimeout } = globalThis

/** A request in the pipeline, with everything known about it. */
export interface RequestContext {
  readonly request: WireRequest
  readonly sandbox: SandboxInternals
  readonly auth: AuthResult
  /** The path below the base path: `/inventory/7`. Outside every base path, it gets a prefix that no route matches. */
  readonly pathBelow: string
  /** The route of that path. */
  readonly match: OperationMatch
  readonly operation: Operation | undefined
  /** The record for the journal, filled in during the request. */
  readonly exchange: Exchange
  /** The source of the body. Replaced when the user's handlers read a clone of the request. */
  bodySource: Pick<WireRequest, 'readBody'>
  /** The body, read only once; `undefined` until then. */
  body: Awaitable<Bytes | typeof BODY_TOO_LARGE> | undefined
  readonly options: ParsedOptions
  readonly clock: ServiceClock
  /** When it arrived, in ticks of the clock. */
  readonly start: number
  /** The memory limit that bodies of control requests and bodies read by the user's handlers share. */
  readonly uploads: ByteBudget
  /** That of the sandbox when the request arrived. */
  readonly epoch: number
  /** Returns the body's bytes to `uploads`. */
  release: (() => void) | undefined
}

type ContextParts = Pick<RequestContext, 'sandbox' | 'auth' | 'options' | 'clock' | 'uploads'>

export function createRequestContext(
  request: WireRequest,
  { sandbox, auth, options, clock, uploads }: ContextParts,
): RequestContext {
  const pathBelow = toPathBelow(options.baseUrl, request.path)
  const match = matchOperation(request.method, pathBelow)
  const operation = match.kind === 'found' ? match.route : undefined
  const petId = match.kind === 'found' ? findPetId(match.route, match.params) : undefined
  const exchange: Exchange = {
    time: clock.now(),
    duration: 0,
    sandbox: sandbox.controls.name,
    operation: operation?.id,
    petId: petId !== undefined && isPetKey(petId) ? petId : undefined,
    resource: pathBelow.startsWith('//') ? request.path : pathBelow,
    request: request.toRecord(),
    // The body of a GET or HEAD has no meaning (RFC 9110, section 9.3.1) and stays unread.
    body: request.method === 'GET' || request.method === 'HEAD' ? NO_BYTES : undefined,
    answer: undefined,
    fault: undefined,
    isProxied: false,
    isStubbed: false,
    id: 0,
    weight: 0,
  }
  return {
    request,
    sandbox,
    auth,
    pathBelow,
    match,
    operation,
    exchange,
    bodySource: request,
    body: undefined,
    options,
    clock,
    start: clock.ticks(),
    uploads,
    epoch: sandbox.epoch,
    release: undefined,
  }
}

/** Whether the sandbox was reset or removed meanwhile. The request then fails, and is no part of the journal. */
export function isObsolete({ epoch, sandbox }: RequestContext): boolean {
  return epoch !== sandbox.epoch
}

/** @throws {RequestAborted} if the sandbox was reset or removed. */
export function assertCurrent(context: RequestContext): void {
  if (isObsolete(context)) throw new RequestAborted('Failed to respond: the sandbox was reset.')
}

/** Reads the body, at most `LARGEST_BODY` of it, and adds it to the journal. */
export function readBody(context: RequestContext): Awaitable<Bytes | typeof BODY_TOO_LARGE> {
  context.body ??= whenReady(context.bodySource.readBody(LARGEST_BODY), (body) => {
    if (body !== BODY_TOO_LARGE) context.sandbox.journal.addBody(context.exchange, body)
    return body
  })
  return context.body
}

/**
 * Reads the body for the journal, also where the response does not need it, as with a fault or a 401. A client that
 * disconnects in the meantime is not an error.
 * @returns A promise if the body is still arriving.
 */
export function keepBody(context: RequestContext): Awaitable<unknown> {
  const { request, exchange } = context
  // A client that expects a 100 (Continue) sends no body after an early response.
  if (exchange.body !== undefined || request.header('expect') !== undefined) return undefined
  const kept = readBody(context)
  return isPromise(kept) ? kept.catch(() => {}) : undefined
}

/**
 * Waits for the body, so that the journal has it before the client has the response. Inside a process it arrives soon,
 * unless the client holds it back until it has the response.
 */
export function awaitBody(context: RequestContext): Awaitable<unknown> {
  const kept = keepBody(context)
  if (!isPromise(kept)) return undefined
  const arrived = context.request.readArrived?.()
  if (arrived !== undefined) return Promise.race([kept, arrived])
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 1000)
    void kept.then(() => resolve(clearTimeout(timer)))
  })
}

/** Adds the fault that the request triggered to the exchange. */
export function noteFault({ exchange, operation }: RequestContext, { id, status, error }: MatchedFault): void {
  const listed: readonly number[] = operation?.statuses ?? []
  exchange.fault = {
    id,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    inContract: status === undefined || listed.includes(status),
  }
}

/** Adds the response to the exchange. There is none if a fault broke the connection before it. */
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
      if ('response' in outcome) exchange.answer = cutBody(outcome.response)
      return
    default:
      assertNever(outcome)
  }
}

/** Cuts a long body. A short one is kept without a copy. */
function cutBody(response: WireResponse): WireResponse {
  const body = takePieces(response.body, LARGEST_JOURNAL_BODY)
  return body === response.body ? response : { ...response, body }
}

/** Adds the body when it has arrived. The response does not wait for that. */
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
  void readBeginning(copy, { limit: LARGEST_JOURNAL_BODY, signal: request.signal(), isBreakEnd: true }).then(
    ({ bytes }) => journal.addAnswerBody(exchange, bytes),
    () => {},
  )
}
