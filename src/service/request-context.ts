import { type Authenticator, type AuthResult, DEFAULT_SANDBOX } from '../auth/authenticator.ts'
import { toPathBelow } from '../http/base-url.ts'
import { type ByteBudget, type Bytes, NO_BYTES, readBeginning, takePieces } from '../http/bytes.ts'
import type { Outcome } from '../http/outcome.ts'
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
import type { EventFeeds } from '../sandbox/event-feed.ts'
import type { MatchedFault } from '../sandbox/faults.ts'
import { type Exchange, LARGEST_JOURNAL_BODY } from '../sandbox/journal-entry.ts'
import type { SandboxInternals } from '../sandbox/sandbox.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'
import type { ParsedOptions } from './parse-options.ts'

// Captured at load, so that a test runner's fake timers do not stop the mock.
const { setTimeout, clearTimeout } = globalThis

/** The largest body that the user's handlers can read, in bytes. */
export const LARGEST_HANDLER_BODY: number = 16 * 1024 ** 2

/** The parts of a mock that handle every request. */
export interface Pipeline {
  /** Replaced when the stubs are. */
  options: ParsedOptions
  readonly authenticator: Authenticator
  readonly sandboxes: Sandboxes
  readonly clock: ServiceClock
  readonly feeds: EventFeeds
  /** The memory limit that bodies of control requests and bodies read by the user's handlers share. */
  readonly uploads: ByteBudget
}

/**
 * A request in the pipeline: everything known about it, its body, and its entry in the journal. The constructor opens the
 * entry, and `record` closes it.
 */
export class RequestContext {
  readonly request: WireRequest
  readonly options: ParsedOptions
  readonly clock: ServiceClock
  readonly auth: AuthResult
  readonly sandbox: SandboxInternals
  /** The path below the base path: `/inventory/7`. Outside every base path, it gets a prefix that no route matches. */
  readonly pathBelow: string
  /** The route of that path. */
  readonly match: OperationMatch
  readonly operation: Operation | undefined
  /** That of the fault that the request triggered. */
  bytesPerSecond: number | undefined
  /** The record for the journal, filled in during the request. */
  readonly exchange: Exchange
  readonly #uploads: ByteBudget
  /** When it arrived, in ticks of the clock. */
  readonly #start: number
  /** That of the sandbox when the request arrived. */
  readonly #epoch: number
  /** The body, read only once; `undefined` until then. */
  #body: Awaitable<Bytes | typeof BODY_TOO_LARGE> | undefined
  /** How many bytes of `#uploads` the body takes; `undefined` if the user's handlers do not read it. */
  #uploaded: number | undefined

  constructor(request: WireRequest, { options, clock, authenticator, sandboxes, uploads }: Pipeline) {
    this.request = request
    this.options = options
    this.clock = clock
    this.auth = authenticator.authenticate(request.header('authorization'), request)
    const { kind, sandbox: name = DEFAULT_SANDBOX } = this.auth
    // Without a valid key, nobody can create sandboxes.
    this.sandbox = sandboxes.open(kind === 'valid' || sandboxes.has(name) ? name : DEFAULT_SANDBOX)
    this.pathBelow = toPathBelow(options.baseUrl, request.path)
    this.match = matchOperation(request.method, this.pathBelow)
    this.operation = this.match.kind === 'found' ? this.match.route : undefined
    const petId = this.match.kind === 'found' ? findPetId(this.match.route, this.match.params) : undefined
    // The body of a GET or HEAD has no meaning (RFC 9110, section 9.3.1) and stays unread.
    this.#body = request.method === 'GET' || request.method === 'HEAD' ? NO_BYTES : undefined
    this.exchange = {
      time: clock.now(),
      duration: 0,
      sandbox: this.sandbox.controls.name,
      operation: this.operation?.id,
      petId: petId !== undefined && isPetKey(petId) ? petId : undefined,
      resource: this.pathBelow.startsWith('//') ? request.path : this.pathBelow,
      request: request.toRecord(),
      body: this.#body,
      answer: undefined,
      fault: undefined,
      isProxied: false,
      isStubbed: false,
      id: 0,
      weight: 0,
    }
    this.#uploads = uploads
    this.#start = clock.ticks()
    this.#epoch = this.sandbox.epoch
  }

  /** Whether the sandbox was reset or removed meanwhile. The request then fails, and is no part of the journal. */
  get isObsolete(): boolean {
    return this.#epoch !== this.sandbox.epoch
  }

  /** @throws {RequestAborted} if the sandbox was reset or removed. */
  assertCurrent(): void {
    if (this.isObsolete) throw new RequestAborted('Failed to respond: the sandbox was reset.')
  }

  /** Reads the body and adds it to the journal. */
  readBody(): Awaitable<Bytes | typeof BODY_TOO_LARGE> {
    this.#body ??= this.#keep(this.request.readBody(LARGEST_BODY))
    return whenReady(this.#body, (body) =>
      body !== BODY_TOO_LARGE && body.byteLength > LARGEST_BODY ? BODY_TOO_LARGE : body,
    )
  }

  /** Reads the body for the user's handlers, for which it may be larger. Whoever reads it first sets the limit. */
  readLargeBody(): Awaitable<Bytes | typeof BODY_TOO_LARGE> {
    this.#uploaded ??= 0
    const take = (bytes: number): boolean => {
      const isTaken = this.#uploads.take(bytes)
      if (isTaken) this.#uploaded = (this.#uploaded ?? 0) + bytes
      return isTaken
    }
    this.#body ??= this.#keep(this.request.readBody(LARGEST_HANDLER_BODY, { take }))
    return this.#body
  }

  #keep(pending: Awaitable<Bytes | typeof BODY_TOO_LARGE>): Awaitable<Bytes | typeof BODY_TOO_LARGE> {
    return whenReady(pending, (body) => {
      if (body !== BODY_TOO_LARGE && body.byteLength <= LARGEST_BODY) this.sandbox.journal.addBody(this.exchange, body)
      return body
    })
  }

  /**
   * Reads the body for the journal, also where the response does not need it, as with a fault or a 401. A client that
   * disconnects in the meantime is not an error.
   * @returns A promise if the body is still arriving.
   */
  keepBody(): Awaitable<unknown> {
    // A client that expects a 100 (Continue) sends no body after an early response.
    if (this.exchange.body !== undefined || this.request.header('expect') !== undefined) return undefined
    const kept = this.readBody()
    return isPromise(kept) ? kept.catch(() => {}) : undefined
  }

  /**
   * Waits for the body, so that the journal has it before the client has the response. Inside a process it arrives soon,
   * unless the client holds it back until it has the response.
   */
  awaitBody(): Awaitable<unknown> {
    const kept = this.keepBody()
    if (!isPromise(kept)) return undefined
    const arrived = this.request.readArrived?.()
    if (arrived !== undefined) return Promise.race([kept, arrived])
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, 1000)
      void kept.then(() => resolve(clearTimeout(timer)))
    })
  }

  /** Adds the fault that the request triggered to the entry. */
  noteFault({ id, status, error, bytesPerSecond }: MatchedFault): void {
    this.bytesPerSecond = bytesPerSecond
    const listed: readonly number[] = this.operation?.statuses ?? []
    this.exchange.fault = {
      id,
      ...(status !== undefined && { status }),
      ...(error !== undefined && { error }),
      inContract: status === undefined || listed.includes(status),
    }
  }

  /**
   * Adds the entry to the journal.
   * @param outcome `undefined` if the client disconnected.
   */
  record(outcome: Outcome | undefined): void {
    const { exchange, sandbox, request, clock } = this
    if (outcome !== undefined) this.#noteOutcome(outcome)
    request.onRecorded?.(exchange)
    // The clock goes back when it returns from virtual to real time.
    exchange.duration = Math.max(0, clock.ticks() - this.#start)
    if (!this.isObsolete) sandbox.journal.record(exchange)
    sandbox.countState()
    const release = (): void => this.#uploads.give(this.#uploaded ?? 0)
    if (this.#uploaded !== undefined) void Promise.resolve(this.#body).then(release, release)
  }

  /** Adds the response to the entry. There is none if a fault broke the connection before it. */
  #noteOutcome(outcome: Outcome): void {
    if (outcome.type === 'fetch-response') this.#noteFetchResponse(outcome.response)
    else if (outcome.type === 'response') this.exchange.answer = cutBody(outcome)
    else if ('response' in outcome) this.exchange.answer = cutBody(outcome.response)
  }

  /** Adds the body when it has arrived. The response does not wait for that. */
  #noteFetchResponse(response: Response): void {
    const { exchange, sandbox, request } = this
    const { status, headers } = response
    exchange.answer = { type: 'response', status, headers: Object.fromEntries(headers), body: [] }
    const copy = response.clone().body
    if (copy === null) return
    const limits = { limit: LARGEST_JOURNAL_BODY, signal: request.signal(), isBreakEnd: true }
    void readBeginning(copy, limits).then(
      ({ bytes }) => sandbox.journal.addAnswerBody(exchange, bytes),
      () => {},
    )
  }
}

/** Cuts a long body. A short one is kept without a copy. */
function cutBody(response: WireResponse): WireResponse {
  const body = takePieces(response.body, LARGEST_JOURNAL_BODY)
  return body === response.body ? response : { ...response, body }
}
