import type { AuthResult } from '../auth/authenticator.ts'
import { type Awaitable, isPromise, whenReady } from '../http/awaitable.ts'
import type { ByteBudget } from '../http/byte-budget.ts'
import type { Bytes } from '../http/bytes.ts'
import { BODY_TOO_LARGE, type WireRequest } from '../http/wire-request.ts'
import { isPetKey } from '../inventory/pet-id.ts'
import type { Operation } from '../operations/define-operation.ts'
import { matchOperation, type OperationMatch } from '../operations/operations.ts'
import type { MatchedFault } from '../sandbox/faults.ts'
import { type Exchange, LARGEST_JOURNAL_BODY } from '../sandbox/journal-entry.ts'
import type { SandboxInternals } from '../sandbox/sandbox.ts'
import type { BaseUrl } from './mock-options.ts'

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
  readonly base: BaseUrl
  readonly uploads: ByteBudget
  /** Milliseconds since 1970. */
  readonly time: number
}

export function createRequestContext(
  request: WireRequest,
  { sandbox, auth, base, uploads, time }: RequestContextParts,
): RequestContext {
  const match = matchOperation(request.method, toPathBelow(base, request.path))
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

export function recordFault({ exchange, operation }: RequestContext, { id, status, error }: MatchedFault): void {
  const listed: readonly number[] = operation?.statuses ?? []
  exchange.fault = {
    id,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    inContract: status === undefined || listed.includes(status),
  }
}

/** The path below the base path; a path outside it stays as it is and leads nowhere. */
function toPathBelow(base: BaseUrl, path: string): string {
  return path.startsWith(`${base.path}/`) ? path.slice(base.path.length) : `//${path}`
}
