import { setTimeout as sleep } from 'node:timers/promises'
import { OPERATIONS } from '../contract/operations.gen.ts'
import { parseExactJson } from '../http/exact-json.ts'
import type { ContractOperation, OperationId } from '../operations/define-operation.ts'
import { ask, type CheckedService, NoAnswer, type RawAnswer, type RawRequest } from './ask.ts'
import type { Judge } from './judge.ts'

/** A request of a case. */
export interface CheckRequest {
  readonly operation: OperationId
  /** Replaces `{petId}`. */
  readonly petId?: string
  /** The `Authorization` header; `null` sends none. @default the valid key */
  readonly authorization?: string | null
  /** Behind the path: `api_key=…`. @default none */
  readonly query?: string
  readonly body?: string
  /** The `Content-Type` of a body; `null` sends none. @default 'application/json' */
  readonly contentType?: string | null
  /** Whether the body is sent without its length. */
  readonly isChunked?: boolean
}

/** A request with its response. */
export interface Exchange {
  readonly request: CheckRequest
  readonly status: number
  readonly headers: Headers
  /** The body with exact numbers; `undefined` if it is not JSON. */
  readonly json: unknown
  readonly text: string
  /** How the response breaks the specification, as sentences. */
  readonly violations: readonly string[]
}

/** Nothing can be said about a case: the service was down, limits its clients, or the time is over. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive'
}

/** A session that calls a service in a friendly way. */
export interface Session {
  readonly apiKey: string
  /** The pets with an update that timed out, so that the service may still apply it. */
  readonly unconfirmed: ReadonlySet<string>
  /**
   * Sends a request, and again while the service limits its clients, is down or drops connections.
   * @throws {NoAnswer} if the service never responds to this request, but to others.
   * @throws {Inconclusive} if nothing can be said, because of an outage, a limit, or the end of the time.
   */
  send(request: CheckRequest): Promise<Exchange>
}

/** Options of `createSession`. */
interface SessionOptions {
  readonly service: CheckedService
  readonly judge: Judge
  /** Aborted at the end of the time. */
  readonly timeout?: AbortSignal | undefined
  /** How long to wait for a service that is down or limits its clients, in milliseconds. @default 30_000 */
  readonly patienceMs?: number | undefined
}

/** Statuses of a service, or of a gateway before it, that cannot respond now. */
const UNAVAILABLE: readonly number[] = [429, 502, 503, 504]
/** The pauses between the attempts of a request that alone gets no response, in milliseconds. */
const PAUSES = [100, 200, 400, 800, 1600, 1600]
/** How often an operation may get no response before its next requests are tried only twice. */
const MANY_FAILURES = 2
const LONGEST_PACE_MS = 100
/** What each response leaves of the pace: half of it after 20 responses. */
const RECOVERY = 0.966

export function isUnavailable(answer: RawAnswer | NoAnswer): boolean {
  return answer instanceof NoAnswer ? answer.kind === 'connection' : UNAVAILABLE.includes(answer.status)
}

/** The time that a response asks to wait, in milliseconds (RFC 9110, section 10.2.3). */
export function readRetryAfter(answer: RawAnswer | NoAnswer): number | undefined {
  const value = answer instanceof NoAnswer ? null : answer.headers.get('retry-after')
  if (value === null) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), 60_000)
}

export function createSession({ service, judge, timeout, patienceMs = 30_000 }: SessionOptions): Session {
  const unconfirmed = new Set<string>()
  const failures = new Map<OperationId, number>()
  const hangs = new Map<OperationId, number>()
  const signals = [service.signal, timeout].filter((signal) => signal !== undefined)
  const signal = AbortSignal.any(signals)
  const reached = { ...service, signal }
  let paceMs = 0
  /** Whether the key was accepted once. */
  let isKnown = false

  const assertTime = (): void => {
    service.signal?.throwIfAborted()
    if (timeout?.aborted) throw new Inconclusive('the time limit of the check was reached')
  }
  const wait = async (ms: number): Promise<void> => {
    if (ms > 0) await sleep(ms, undefined, { signal }).catch(assertTime)
  }
  const attempt = async (request: CheckRequest): Promise<RawAnswer | NoAnswer> => {
    assertTime()
    await wait(paceMs)
    return ask(reached, toRawRequest(request, service.apiKey)).catch((error: unknown) => {
      if (error instanceof NoAnswer && error.kind === 'timeout') unconfirmed.add(request.petId ?? '')
      assertTime()
      if (error instanceof NoAnswer) return error
      throw error
    })
  }
  const isListUp = async (): Promise<boolean> => {
    const answer = await attempt({ operation: 'listInventory' })
    return !(answer instanceof NoAnswer) && !isUnavailable(answer)
  }

  /** A key that expires in the middle says nothing about a case. */
  const assertKey = async ({ authorization, query }: CheckRequest, { status }: RawAnswer): Promise<void> => {
    if (status !== 401 || authorization !== undefined || query !== undefined) return
    for (let left = 2; left > 0; left -= 1) {
      const again = await attempt({ operation: 'listInventory' })
      if (again instanceof NoAnswer || again.status !== 401) return
    }
    if (isKnown) throw new Inconclusive('the service no longer accepts the key')
  }

  async function send(request: CheckRequest): Promise<Exchange> {
    const { operation } = request
    if ((hangs.get(operation) ?? 0) > 1) throw new Inconclusive('the operation hung before and is not called again')
    const start = performance.now()
    const pauses = (failures.get(operation) ?? 0) < MANY_FAILURES ? PAUSES : PAUSES.slice(0, 1)
    for (let count = 0; ; count += 1) {
      const answer = await attempt(request)
      if (answer instanceof NoAnswer && answer.kind === 'timeout') {
        hangs.set(operation, (hangs.get(operation) ?? 0) + 1)
        if ((hangs.get(operation) ?? 0) < 2) continue
        if (operation === 'listInventory' || !(await isListUp())) throw new Inconclusive(`there is ${answer.message}`)
        throw answer
      }
      if (answer instanceof NoAnswer && answer.kind === 'broken') throw answer
      if (!isUnavailable(answer)) {
        failures.delete(operation)
        paceMs = paceMs < 5 ? 0 : paceMs * RECOVERY
        await assertKey(request, answer as RawAnswer)
        isKnown ||= (answer as RawAnswer).status === 200
        return toExchange(request, answer as RawAnswer, judge)
      }
      const isLimited = !(answer instanceof NoAnswer) && answer.status === 429
      if (isLimited) paceMs = Math.min(LONGEST_PACE_MS, Math.max(20, paceMs * 2))
      const isPatient = performance.now() - start < patienceMs
      if (count >= pauses.length && !isLimited) {
        const isUp = await isListUp()
        if (isUp || !isPatient) throw giveUp(request, { answer, isUp, failures })
      }
      if (!isPatient) throw giveUp(request, { answer, isUp: false, failures })
      await wait(readRetryAfter(answer) ?? pauses[count] ?? 1000)
    }
  }

  return { apiKey: service.apiKey, unconfirmed, send }
}

/** A service that responds to others, but breaks off this request every time, is broken. A status may be an outage. */
function giveUp(
  { operation }: CheckRequest,
  { answer, isUp, failures }: { answer: RawAnswer | NoAnswer; isUp: boolean; failures: Map<OperationId, number> },
): Error {
  failures.set(operation, (failures.get(operation) ?? 0) + 1)
  if (!(answer instanceof NoAnswer)) return new Inconclusive(`the service answers ${answer.status} again and again`)
  return isUp ? answer : new Inconclusive(`the service cannot be reached: ${answer.message}`)
}

export function findOperation(id: OperationId): ContractOperation {
  return OPERATIONS.find((operation) => operation.id === id) as ContractOperation
}

export function toRawRequest(
  { operation: id, petId = '1', query, authorization, body, contentType, isChunked }: CheckRequest,
  apiKey: string,
): RawRequest {
  const { method, path } = findOperation(id)
  const credential = authorization === undefined ? `Bearer ${apiKey}` : authorization
  const mediaType = body !== undefined && contentType === undefined ? 'application/json' : contentType
  return {
    method,
    path: path.replace('{petId}', petId) + (query === undefined ? '' : `?${query}`),
    headers: {
      ...(typeof credential === 'string' && { authorization: credential }),
      ...(typeof mediaType === 'string' && { 'content-type': mediaType }),
    },
    body,
    isChunked,
  }
}

export function toExchange(request: CheckRequest, { status, headers, body }: RawAnswer, judge: Judge): Exchange {
  const operation = findOperation(request.operation)
  const contentType = headers.get('content-type') ?? undefined
  const violations = judge({ operation, status, contentType, body }).map(({ message }) => message)
  const text = new TextDecoder().decode(body)
  return { request, status, headers, json: parseBody(text), text, violations }
}

export function parseBody(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}
