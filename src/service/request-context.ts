import { type Authenticator, type AuthResult, DEFAULT_SANDBOX } from '../auth/authenticator.ts'
import { toPathBelow } from '../http/base-url.ts'
import { type Budget, type Bytes, NO_BYTES, readBeginning, takePieces } from '../http/bytes.ts'
import { clearTimeout, setTimeout } from '../http/globals.ts'
import { type Outcome, toFetchOutcome, toWireResponse } from '../http/outcome.ts'
import type { RouteMatch } from '../http/router.ts'
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
import { LARGEST_UPDATE, matchOperation, type Operation } from '../operations/operations.ts'
import type { ServiceClock } from '../sandbox/clock.ts'
import type { MatchedFault } from '../sandbox/faults.ts'
import { type Exchange, LARGEST_JOURNAL_BODY } from '../sandbox/journal-entry.ts'
import type { SandboxInternals } from '../sandbox/sandbox.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'
import type { UserHandler } from '../sandbox/user-handler.ts'
import type { ParsedOptions } from './mock-options.ts'

/** The largest body that the user's handlers can read, in bytes. */
export const LARGEST_HANDLER_BODY: number = 16 * 1024 ** 2

/** The parts of a mock that handle every request. */
export interface Pipeline {
  readonly options: ParsedOptions
  readonly authenticator: Authenticator
  readonly sandboxes: Sandboxes
  readonly clock: ServiceClock
  /** Of open event streams. */
  readonly streams: Budget
  /** The memory limit that bodies of control requests and those larger than `LARGEST_UPDATE` share. */
  readonly uploads: Budget
}

/**
 * A request in the pipeline: everything known about it, and its entry in the journal. The constructor opens the entry, and
 * `record` closes it.
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
  readonly match: RouteMatch<Operation>
  readonly operation: Operation | undefined
  /** The petId in the path, decoded. It may be malformed. */
  readonly petId: string | undefined
  /** That of the fault that the request triggered. */
  bytesPerSecond: number | undefined
  /** The record for the journal, filled in during the request. */
  readonly exchange: Exchange
  /** Whether its body was refused because all bodies together take too much memory. */
  isOverBudget = false
  /** When it arrived, in ticks of the clock. */
  readonly #start: number
  /** That of the sandbox when the request arrived. */
  readonly #epoch: number
  readonly #uploads: Budget
  /** How many bytes of `uploads` the body takes. */
  #taken = 0
  /** Read once, and whoever reads it first sets the limit: the operation, the user's handlers or the journal. */
  #body: Awaitable<Bytes | typeof BODY_TOO_LARGE> | undefined

  constructor(request: WireRequest, pipeline: Pipeline) {
    const { options, clock, authenticator, sandboxes, uploads } = pipeline
    this.request = request
    this.options = options
    this.clock = clock
    this.auth = authenticator.authenticate(request.header('authorization'), request)
    const { kind, sandbox: name } = this.auth
    // Without a valid key, nobody can create sandboxes.
    this.sandbox = sandboxes.open(kind === 'valid' || sandboxes.has(name) ? name : DEFAULT_SANDBOX)
    this.pathBelow = toPathBelow(options.baseUrl, request.path)
    const match = matchOperation(request.method, this.pathBelow)
    const { route: operation, params } = match.kind === 'found' ? match : {}
    this.match = match
    this.operation = operation
    this.petId = operation?.petIdOf && params?.[operation.petIdOf]
    this.exchange = {
      time: clock.now(),
      duration: 0,
      sandbox: this.sandbox.controls.name,
      operation: this.operation?.id,
      petId: this.petId !== undefined && isPetKey(this.petId) ? this.petId : undefined,
      resource: this.pathBelow.startsWith('//') ? request.path : this.pathBelow,
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
    this.#body = this.exchange.body
    this.#uploads = uploads
    this.#start = clock.ticks()
    this.#epoch = this.sandbox.epoch
  }

  /** The user's msw handlers, those of the sandbox first. */
  get handlers(): readonly UserHandler[] {
    return [...this.sandbox.handlers, ...this.options.userHandlers]
  }

  /** Whether the sandbox was reset or removed meanwhile. The request then fails, and is no part of the journal. */
  get isObsolete(): boolean {
    return this.#epoch !== this.sandbox.epoch
  }

  /** @throws {RequestAborted} if the sandbox was reset or removed. */
  assertCurrent(): void {
    if (this.isObsolete) throw new RequestAborted('Failed to respond: the sandbox was reset.')
  }

  readBody(limit: number): Awaitable<Bytes | typeof BODY_TOO_LARGE> {
    this.#body ??= this.#startBody(limit)
    return whenReady(this.#body, (body) => (body !== BODY_TOO_LARGE && body.byteLength > limit ? BODY_TOO_LARGE : body))
  }

  /**
   * Reads the body for the journal, also where the response does not need it, as with a fault or a 401. A client that
   * disconnects in the meantime is not an error.
   * @returns A promise if the body is still arriving.
   */
  readForJournal(limit: number = LARGEST_UPDATE): Promise<unknown> | undefined {
    if (this.exchange.body !== undefined) return undefined
    const read = this.readBody(limit)
    return isPromise(read) ? read.catch(() => {}) : undefined
  }

  /**
   * Waits for the body, so that the journal has it before the client has the response. Inside a process it arrives soon,
   * unless the client holds it back until it has the response.
   */
  waitForJournal(): Awaitable<unknown> {
    const read = this.readForJournal()
    if (read === undefined) return undefined
    const arrived = this.request.readArrived?.()
    if (arrived !== undefined) return Promise.race([read, arrived])
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, 1000)
      void read.then(() => resolve(clearTimeout(timer)))
    })
  }

  #startBody(limit: number): Awaitable<Bytes | typeof BODY_TOO_LARGE> {
    const take = (bytes: number): boolean => {
      this.isOverBudget = !this.#uploads.take(bytes)
      if (!this.isOverBudget) this.#taken += bytes
      return !this.isOverBudget
    }
    return whenReady(this.request.readBody(limit, limit > LARGEST_UPDATE ? { take } : undefined), (body) => {
      const isShort = body !== BODY_TOO_LARGE && body.byteLength <= LARGEST_UPDATE
      if (isShort) this.sandbox.journal.addBody(this.exchange, body)
      return body
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
    const give = (): void => this.#uploads.give(this.#taken)
    if (isPromise(this.#body)) void this.#body.then(give, give)
    else give()
    // There is no response if a fault broke the connection before it.
    if (outcome?.type === 'response') exchange.answer = cutBody(outcome)
    else if (outcome?.type === 'fetch-response') exchange.answer = toWireResponse(outcome.response, [])
    else if (outcome !== undefined && 'response' in outcome) exchange.answer = cutBody(outcome.response)
    request.onRecorded?.(exchange)
    // The clock goes back when it returns from virtual to real time.
    exchange.duration = Math.max(0, clock.ticks() - this.#start)
    if (!this.isObsolete) sandbox.journal.record(exchange)
  }

  /** Adds the beginning of a stream to the entry when it has arrived, or its client leaves. The response does not wait. */
  copyBody(outcome: Outcome): Outcome {
    if (outcome.type !== 'fetch-response' || outcome.response.body === null) return outcome
    const [own, copy] = outcome.response.body.tee()
    const left = new AbortController()
    const limits = { limit: LARGEST_JOURNAL_BODY, signal: left.signal, isBreakEnd: true }
    void readBeginning(copy, limits).then(({ bytes }) => this.sandbox.journal.addAnswerBody(this.exchange, bytes))
    const { readable, writable } = new TransformStream()
    // The source is cancelled when both of its copies are.
    own.pipeTo(writable, { preventCancel: true }).catch(() => {
      left.abort()
      own.cancel().catch(() => {})
    })
    return toFetchOutcome(new Response(readable, outcome.response))
  }
}

/** Cuts a long body. A short one is kept without a copy. */
function cutBody(response: WireResponse): WireResponse {
  const body = takePieces(response.body, LARGEST_JOURNAL_BODY)
  return body === response.body ? response : { ...response, body }
}
