import type { Credential } from '../auth/authenticator.ts'
import { isPromise, whenReady } from '../http/awaitable.ts'
import { BODY_TOO_LARGE, type Call } from '../http/wire-request.ts'
import { isPetKey } from '../inventory/pet-id.ts'
import { type Operation, type Route, toRoute } from '../operations/route.ts'
import type { Strike } from '../sandbox/faults.ts'
import { type Exchange, LARGEST_JOURNAL_BODY } from '../sandbox/journal-entry.ts'
import type { SandboxRoom } from '../sandbox/sandbox.ts'
import type { BaseUrl } from './mock-options.ts'

/** One call on its way through the stages. */
export interface Visit {
  readonly call: Call
  readonly room: SandboxRoom
  readonly credential: Credential
  /** Where the call's path below the base path leads. */
  readonly route: Route
  readonly operation: Operation | undefined
  /** What the journal keeps, written on the way. */
  readonly exchange: Exchange
  /** Whether somebody has read the body, or begun to. */
  isBodyTaken: boolean
}

export function createVisit(
  call: Call,
  { room, credential, base, time }: { room: SandboxRoom; credential: Credential; base: BaseUrl; time: number },
): Visit {
  const route = toRoute(call.method, toPathBelow(base, call.path))
  const operation = route.kind === 'found' ? route.route : undefined
  const petId = route.kind === 'found' ? route.params['petId'] : undefined
  const exchange: Exchange = {
    time,
    duration: 0,
    sandbox: room.controls.name,
    operation: operation?.id,
    petId: petId !== undefined && isPetKey(petId) ? petId : undefined,
    request: call.toNote(),
    body: undefined,
    answer: undefined,
    fault: undefined,
  }
  return { call, room, credential, route, operation, exchange, isBodyTaken: false }
}

/** The call's body, which the journal keeps as far as it was read. */
export function readBody(visit: Visit, call: Pick<Call, 'readBody'>, limit: number): ReturnType<Call['readBody']> {
  visit.isBodyTaken = true
  return whenReady(call.readBody(limit), (body) => {
    if (body !== BODY_TOO_LARGE) visit.exchange.body = body
    return body
  })
}

/**
 * Reads for the journal what an early answer, a fault's or a 401, had no need of. The answer does not wait for a client
 * that is still sending.
 */
export function keepBody(visit: Visit): void {
  const { call, isBodyTaken } = visit
  if (isBodyTaken || BODILESS.includes(call.method)) return
  // A client that waits for a 100 (Continue) was refused without one: it sends nothing.
  if (call.header('expect') !== undefined) return
  readForJournal(visit, call)
}

/** Nobody waits for it, nor hears of a client that goes away meanwhile. */
export function readForJournal(visit: Visit, call: Pick<Call, 'readBody'>): void {
  const body = readBody(visit, call, LARGEST_JOURNAL_BODY)
  if (isPromise(body)) body.catch(() => {})
}

const BODILESS: readonly string[] = ['GET', 'HEAD']

export function noteStrike({ exchange, operation }: Visit, { id, status, error }: Strike): void {
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
