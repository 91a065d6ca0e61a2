import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '../contract/operations.gen.ts'
import { CaseEnd } from './report.ts'
import { ask, type CheckedService, type CheckRequest, type CheckResponse, LIST } from './service.ts'
import { type Sightings, UNAVAILABLE } from './sightings.ts'

/** The pauses between the attempts of a request that alone gets no response, in milliseconds. */
const PAUSES = [100, 200, 400, 800, 1600, 1600]
/** How many requests in a row may get no response before an operation is not called any more. */
const MOST_SILENCES = 2

interface SessionOptions {
  /** Aborted at the end of the time. @default never */
  readonly timeout?: AbortSignal
  /** Gets every response. */
  readonly sightings?: Sightings | undefined
  /** How long a request waits for a service that is down, or all of them while restoring, in milliseconds. @default 30_000 */
  readonly patienceMs?: number
  /** Whether nobody has seen the service yet. Then a dead address is reported at once. */
  readonly isNew?: boolean
  /** Whether to wait for a service that refuses the valid key, too, and call it again whatever it did before. */
  readonly isRestoring?: boolean
}

/** Sends the requests of a check to a service that may be busy, down or broken. */
export class Session {
  /** When an update was given up last that the service may still apply; 0 if there was none. */
  lastUnconfirmedMs = 0
  readonly #service: CheckedService
  readonly #options: SessionOptions
  readonly #signal: AbortSignal
  readonly #startMs = performance.now()
  /** How many requests of an operation in a row got no response. */
  readonly #silences = new Map<OperationId, number>()

  constructor(service: CheckedService, options: SessionOptions) {
    this.#service = service
    this.#options = options
    this.#signal = AbortSignal.any([service.signal, options.timeout].filter((each) => each !== undefined))
  }

  /** @throws {CaseEnd} `inconclusive` at the end of the time. */
  assertTime(): void {
    this.#service.signal?.throwIfAborted()
    if (this.#signal.aborted) throw new CaseEnd('inconclusive', 'the time limit of the check was reached')
  }

  /** Waits, at most until the end of the time. */
  async wait(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#signal }).catch(() => {})
    this.#service.signal?.throwIfAborted()
  }

  /**
   * Sends a request, and again while the service limits its clients, is down or drops connections.
   * @param beforeRepeat Called before a request is repeated that may have had its effect.
   * @returns a response with a `failure` if the service never responds to this request, but to others.
   * @throws {CaseEnd} `inconclusive`, because of an outage, a limit, or the end of the time.
   */
  async send(request: CheckRequest, beforeRepeat?: () => Promise<void>): Promise<CheckResponse> {
    const { patienceMs = 30_000, isNew, isRestoring } = this.#options
    const { operation } = request
    const silent = this.#silences.get(operation) ?? 0
    if (silent >= MOST_SILENCES && !isRestoring)
      throw new CaseEnd('inconclusive', 'the operation got no response before and is not called again')
    const startMs = isRestoring ? this.#startMs : performance.now()
    let isUp = false
    for (let attempts = 0; ; attempts += 1) {
      const answer = await this.#attempt(request)
      const { status, failure, text } = answer
      if (!this.#isBlocked(answer)) {
        this.#silences.delete(operation)
        await this.#assertKey(answer)
        return answer
      }
      const isHung = failure === 'timeout'
      const isLast = attempts >= (isHung ? 1 : PAUSES.length)
      const isLate = this.#signal.aborted || performance.now() - startMs >= patienceMs
      const mayBeUp = status !== 429 && request !== LIST && !this.#signal.aborted
      if ((isHung || isLast) && mayBeUp) isUp ||= !this.#isBlocked(await this.#attempt(LIST))
      const isOver = isLate || (isLast && (isHung || isUp)) || (isNew && failure === 'unreachable')
      if (isOver) this.#silences.set(operation, silent + 1)
      // A service that responds to others, but never to this request, is broken.
      if (isOver && isUp && failure !== undefined) return answer
      const pauseMs = isOver ? 0 : (readRetryAfter(answer) ?? PAUSES[attempts] ?? 1000)
      await this.wait(pauseMs)
      const verb = isHung ? 'sent no complete response' : 'cannot be reached'
      const why = failure === undefined ? `answers ${status}` : `${verb}: ${text}`
      if (isOver || this.#signal.aborted) throw new CaseEnd('inconclusive', `the service ${why}`)
      if (isUnconfirmed(answer)) await beforeRepeat?.()
    }
  }

  async #attempt(request: CheckRequest): Promise<CheckResponse> {
    const startMs = performance.now()
    const answer = await ask({ ...this.#service, signal: this.#signal }, request).catch((error: unknown) => {
      this.assertTime()
      throw error
    })
    this.#options.sightings?.add(answer, performance.now() - startMs)
    if (request.operation === 'updateInventory' && isUnconfirmed(answer)) this.lastUnconfirmedMs = performance.now()
    this.#service.signal?.throwIfAborted()
    return answer
  }

  #isBlocked({ status, request }: CheckResponse): boolean {
    const isRefused = this.#options.isRestoring && request.key === undefined && [401, 403].includes(status)
    return isRefused || UNAVAILABLE.includes(status)
  }

  /** A key that expires in the middle says nothing about a case. */
  async #assertKey({ request, status }: CheckResponse): Promise<void> {
    if (this.#options.isNew || status !== 401 || request.key !== undefined) return
    if ((await this.#attempt(LIST)).status !== 401) return
    throw new CaseEnd('inconclusive', 'the service no longer accepts the key')
  }
}

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
