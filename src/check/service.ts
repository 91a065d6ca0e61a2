import { setTimeout as sleep } from 'node:timers/promises'
import { parseJson } from '../client/ask-control.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import { OPERATIONS } from '../contract/operations.gen.ts'
import { NO_BYTES } from '../http/bytes.ts'
import type { ContractOperation } from '../operations/operations.ts'
import type { BadKey, Credentials } from './keys.ts'
import { CaseEnd } from './report.ts'
import { type Sightings, UNAVAILABLE } from './sightings.ts'

/** The default time limit for a response, in milliseconds. */
export const RESPONSE_LIMIT_MS = 10_000

/** The service being checked, or the mock that it is compared with. */
export interface CheckedService extends Credentials {
  /** With the base path and without a trailing slash: `http://127.0.0.1:4100/v1`. */
  readonly url: string
  /** Aborts the check. */
  readonly signal?: AbortSignal | undefined
  /** The time limit for a response, in milliseconds. @default 10_000 */
  readonly responseLimitMs?: number | undefined
  /** @default the global fetch */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

export interface CheckRequest {
  readonly operation: OperationId
  /** Replaces `{petId}`. */
  readonly petId?: string | undefined
  /** @default the valid key */
  readonly key?: BadKey | undefined
  readonly body?: string | undefined
  /** The `Content-Type`; `null` sends none. @default 'application/json' for an update, also for one without a body */
  readonly contentType?: string | null | undefined
  /** The `If-None-Match`. */
  readonly etag?: string | undefined
  /** Whether the body is sent without its length. */
  readonly isChunked?: boolean | undefined
}

export const LIST: CheckRequest = { operation: 'listInventory' }

export interface CheckResponse {
  readonly request: CheckRequest
  /** 0 without a complete response: `text` says why. */
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
  readonly text: string
  /** The body with exact numbers; `undefined` if it is not JSON. */
  readonly json: unknown
  /** Why the whole body could not be decoded, as its `Content-Encoding` says. */
  readonly flaw?: string | undefined
  /**
   * Why there is no complete response. `unreachable`: there is no connection to the address, `connection`: it broke, perhaps
   * after the request had its effect.
   */
  readonly failure?: 'timeout' | 'connection' | 'unreachable'
}

export function findOperation(id: OperationId): ContractOperation {
  return OPERATIONS.find((operation) => operation.id === id) as ContractOperation
}

export function toHttp(
  {
    operation,
    petId = '1',
    key,
    etag,
    contentType = operation === 'updateInventory' ? 'application/json' : null,
  }: CheckRequest,
  { url, apiKey, headers: own }: CheckedService,
): { readonly method: string; readonly url: string; readonly headers: Headers } {
  const { method, path } = findOperation(operation)
  const { authorization, query } = key?.of(apiKey) ?? { authorization: `Bearer ${apiKey}` }
  const headers = new Headers(own)
  if (authorization !== null) headers.set('authorization', authorization)
  if (contentType !== null) headers.set('content-type', contentType)
  if (etag !== undefined) headers.set('if-none-match', etag)
  return { method, url: `${url}${path.replace('{petId}', petId)}${query === undefined ? '' : `?${query}`}`, headers }
}

/**
 * Sends a request once. The service's signal aborts a `GET`. An update in flight is awaited, because the service may
 * apply it even if nobody waits for the response: it must land before the stock is restored.
 */
export async function ask(service: CheckedService, request: CheckRequest): Promise<CheckResponse> {
  const { signal, responseLimitMs = RESPONSE_LIMIT_MS, fetch = globalThis.fetch } = service
  signal?.throwIfAborted()
  const { method, url, headers } = toHttp(request, service)
  const { body, isChunked } = request
  const limit = AbortSignal.timeout(responseLimitMs)
  const stop = method === 'GET' ? signal : undefined
  // The DOM types lack `duplex`, which a streaming body requires (https://fetch.spec.whatwg.org/#requestinit).
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers,
    // Bytes or a stream, because fetch adds its own Content-Type to a string.
    ...(body !== undefined && { body: isChunked ? new Blob([body]).stream() : new TextEncoder().encode(body) }),
    duplex: 'half',
    redirect: 'manual',
    signal: stop === undefined ? limit : AbortSignal.any([limit, stop]),
  }
  let response: Response | undefined
  try {
    response = await fetch(url, init)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const text = new TextDecoder().decode(bytes)
    return { request, status: response.status, headers: response.headers, body: bytes, text, json: parseJson(text) }
  } catch (error) {
    stop?.throwIfAborted()
    const { code = '', message } = ((error as Error).cause ?? {}) as {
      readonly code?: string
      readonly message?: string
    }
    const { status, headers } = response ?? { status: 0, headers: new Headers() }
    const empty = { request, status, headers, body: NO_BYTES, json: undefined }
    // A body that is not encoded as its Content-Encoding says is a response nevertheless.
    if (message !== undefined && /^(?:Z|ERR__)/.test(code)) return { ...empty, text: message, flaw: message }
    const missing = response === undefined ? 'response' : 'end of the response'
    const late = { failure: 'timeout', text: `no ${missing} within ${responseLimitMs / 1000} seconds` } as const
    return { ...empty, status: 0, ...(limit.aborted ? late : toFailure(error)) }
  }
}

/** fetch puts the reason into `cause`. If it tried two IP addresses, there is only a code. */
function toFailure(error: unknown): Required<Pick<CheckResponse, 'failure' | 'text'>> {
  const { code = '', message = '' } = ((error as Error).cause ?? {}) as { code?: string; message?: string }
  const detail = message || code || (error as Error).message
  // fetch refuses some ports without a code.
  const isDead = /^(?:ECONNREFUSED|ENOTFOUND|E(?:HOST|NET)UNREACH|bad port|ERR_SSL.*)$|CERT|^UNABLE_TO/.test(
    code || detail,
  )
  return { failure: isDead ? 'unreachable' : 'connection', text: detail }
}

/** The pauses between the attempts of a request that alone gets no response, in milliseconds. */
const PAUSES = [100, 200, 400, 800, 1600, 1600]
/** How many requests in a row may get no response before an operation is not called any more. */
const MOST_SILENCES = 2

/** Whether a service may still apply an update: a gateway that gives up does not stop the update behind it. */
function isUnconfirmed({ status, failure }: CheckResponse): boolean {
  return failure === 'timeout' || failure === 'connection' || status === 502 || status === 504
}

/** The time that a response asks to wait, in milliseconds (RFC 9110, section 10.2.3). */
function readRetryAfter({ headers }: CheckResponse): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), 60_000)
}

export interface Session {
  /** When an update was given up last that the service may still apply; 0 if there was none. */
  readonly lastUnconfirmedMs: number
  /** @throws {CaseEnd} `inconclusive` at the end of the time. */
  assertTime(): void
  /**
   * Sends a request, and again while the service limits its clients, is down or drops connections.
   * @param beforeRepeat Called before a request is repeated that may have had its effect.
   * @returns a response with a `failure` if the service never responds to this request, but to others.
   * @throws {CaseEnd} `inconclusive`, because of an outage, a limit, or the end of the time.
   */
  send(request: CheckRequest, beforeRepeat?: () => Promise<void>): Promise<CheckResponse>
}

interface SessionOptions {
  /** Aborted at the end of the time. @default never */
  readonly timeout?: AbortSignal
  /** Gets every response. */
  readonly sightings?: Sightings | undefined
  /** How long each request waits for such a service, or all of them while restoring, in milliseconds. @default 30_000 */
  readonly patienceMs?: number
  /** Whether nobody has seen the service yet. Then a dead address is reported at once. */
  readonly isNew?: boolean
  /** Whether to wait for a service that refuses the valid key, too, and call it again whatever it did before. */
  readonly isRestoring?: boolean
}

export function createSession(
  { signal: stop, ...service }: CheckedService,
  { timeout, sightings, patienceMs = 30_000, isNew = false, isRestoring = false }: SessionOptions,
): Session {
  const created = performance.now()
  let lastUnconfirmedMs = 0
  /** How many requests of an operation in a row got no response. */
  const silences = new Map<OperationId, number>()
  const signal = AbortSignal.any([stop, timeout].filter((each) => each !== undefined))

  const assertTime = (): void => {
    stop?.throwIfAborted()
    if (timeout?.aborted) throw new CaseEnd('inconclusive', 'the time limit of the check was reached')
  }
  const attempt = async (request: CheckRequest): Promise<CheckResponse> => {
    const start = performance.now()
    const answer = await ask({ ...service, signal }, request).catch((error: unknown) => {
      assertTime()
      throw error
    })
    sightings?.add(answer, performance.now() - start)
    if (request.operation === 'updateInventory' && isUnconfirmed(answer)) lastUnconfirmedMs = performance.now()
    stop?.throwIfAborted()
    return answer
  }
  const isBlocked = (answer: CheckResponse): boolean =>
    UNAVAILABLE.includes(answer.status) ||
    (isRestoring && answer.request.key === undefined && [401, 403].includes(answer.status))
  const isListUp = async (): Promise<boolean> => !isBlocked(await attempt(LIST))

  /** A key that expires in the middle says nothing about a case. */
  async function assertKey({ request, status }: CheckResponse): Promise<void> {
    if (isNew || status !== 401 || request.key !== undefined) return
    if ((await attempt(LIST)).status !== 401) return
    throw new CaseEnd('inconclusive', 'the service no longer accepts the key')
  }

  async function send(request: CheckRequest, beforeRepeat?: () => Promise<void>): Promise<CheckResponse> {
    const { operation } = request
    const silent = silences.get(operation) ?? 0
    if (silent >= MOST_SILENCES && !isRestoring)
      throw new CaseEnd('inconclusive', 'the operation got no response before and is not called again')
    const start = isRestoring ? created : performance.now()
    let isUp = false
    for (let attempts = 0; ; attempts += 1) {
      const answer = await attempt(request)
      const { status, failure, text } = answer
      if (!isBlocked(answer)) {
        silences.delete(operation)
        await assertKey(answer)
        return answer
      }
      const isHung = failure === 'timeout'
      const isLast = attempts >= (isHung ? 1 : PAUSES.length)
      const isLate = timeout?.aborted || performance.now() - start >= patienceMs
      const isOpen = status !== 429 && request !== LIST && !timeout?.aborted
      if ((isHung || isLast) && isOpen) isUp ||= await isListUp()
      const isOver = isLate || (isLast && (isHung || isUp)) || (isNew && failure === 'unreachable')
      if (isOver) silences.set(operation, silent + 1)
      // A service that responds to others, but never to this request, is broken.
      if (isOver && isUp && failure !== undefined) return answer
      const pauseMs = isOver ? 0 : (readRetryAfter(answer) ?? PAUSES[attempts] ?? 1000)
      await sleep(pauseMs, undefined, { signal }).catch(() => stop?.throwIfAborted())
      const verb = isHung ? 'sent no complete response' : 'cannot be reached'
      const why = failure === undefined ? `answers ${status}` : `${verb}: ${text}`
      if (isOver || timeout?.aborted) throw new CaseEnd('inconclusive', `the service ${why}`)
      if (isUnconfirmed(answer)) await beforeRepeat?.()
    }
  }

  return {
    assertTime,
    get lastUnconfirmedMs() {
      return lastUnconfirmedMs
    },
    send,
  }
}
