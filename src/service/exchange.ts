import { type Authenticator, type AuthResult, DEFAULT_SANDBOX } from '../auth/authenticator.ts'
import type { Awaitable } from '../http/awaitable.ts'
import { toPathBelow } from '../http/base-url.ts'
import type { Bytes } from '../http/bytes.ts'
import type { Outcome } from '../http/outcome.ts'
import { type Preferences, parsePrefer } from '../http/prefer.ts'
import type { AnswererName, BODY_TOO_LARGE, WireRequest } from '../http/wire-request.ts'
import { isPetKey, type PetKey } from '../inventory/pet.ts'
import { matchOperation, type Operate, type Operation } from '../operations/operations.ts'
import type { ServiceClock } from '../sandbox/clock.ts'
import type { FaultEffect } from '../sandbox/faults.ts'
import type { SandboxInternals } from '../sandbox/sandbox.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'
import type { UserHandler } from '../sandbox/user-handler.ts'
import type { ParsedOptions } from './mock-options.ts'
import type { FindStub } from './stubs.ts'

/** The parts of a mock that handle every request. */
export interface Parts {
  options: ParsedOptions
  /** Replaced when the file of the stubs changes. */
  findStub: FindStub | undefined
  /** Those of the option `handlers`, which can be a function of the mock. */
  handlers: readonly UserHandler[]
  readonly authenticator: Authenticator
  readonly sandboxes: Sandboxes
  readonly clock: ServiceClock
  /** Executes operations in place of the mock's own code. */
  mutant: Operate | undefined
  /** The open event streams. */
  readonly streams: Set<object>
}

/** A request on its way through the mock. The steps fill in what can change. */
export interface Exchange {
  readonly parts: Parts
  readonly request: WireRequest
  readonly auth: AuthResult
  readonly sandbox: SandboxInternals
  /** That of the sandbox when the request arrived. */
  readonly epoch: number
  /** When it arrived: the time of the mock's clock, and its ticks. */
  readonly time: number
  readonly start: number
  /** The path below the base path: `/inventory/7`. `undefined` outside every base path. */
  readonly pathBelow: string | undefined
  /** `undefined` if the path or the method has none. */
  readonly operation: Operation | undefined
  /** The value of `Allow` if the contract has the path, but not the method. */
  readonly allow: string | undefined
  /** The petId in the path, decoded. It may be malformed. */
  readonly petId: string | undefined
  /** `undefined` without a `Prefer` header, or where the mock ignores it. */
  readonly preferences: Preferences | undefined
  fault: FaultEffect['fault']
  /** The headers of a rate limit. */
  limitHeaders: FaultEffect['headers']
  /** `undefined` until it has arrived, and for `GET` and `HEAD`, whose body has no meaning (RFC 9110, section 9.3.1). */
  body: Bytes | typeof BODY_TOO_LARGE | undefined
  /**
   * What the user's handlers are given. Held until the response has been sent: Node's signal of a request no longer follows
   * the client's when nobody holds the request (https://github.com/nodejs/undici/blob/v7.16.0/lib/web/fetch/request.js).
   */
  handled: Request | undefined
  /** What answered instead of the operations. */
  by: AnswererName | undefined
}

/** A step on the way. Returns the outcome if the request ends here, and `undefined` if the next step follows. */
export type Step = (exchange: Exchange) => Awaitable<Outcome | undefined>

/** Opens the exchange of a request: its key, sandbox and route. Reads no body. */
export function open(request: WireRequest, parts: Parts): Exchange {
  const { options, authenticator, sandboxes, clock } = parts
  const auth = authenticator.authenticate(request.header('authorization'), request.header('baggage'))
  // Without a valid key, nobody can create sandboxes.
  const isOpen = auth.kind === 'valid' || sandboxes.has(auth.sandbox)
  const sandbox = sandboxes.open(isOpen ? auth.sandbox : DEFAULT_SANDBOX)
  const pathBelow = toPathBelow(options.baseUrl, request.path)
  const match = matchOperation(request.method, pathBelow)
  const operation = match.kind === 'found' ? match.route : undefined
  const petId = match.kind === 'found' && operation?.petIdParameter ? match.params[operation.petIdParameter] : undefined
  const prefer = options.prefer ? request.header('prefer') : undefined
  return {
    parts,
    request,
    auth,
    sandbox,
    epoch: sandbox.epoch,
    time: clock.now(),
    start: clock.ticks(),
    pathBelow,
    operation,
    allow: match.kind === 'wrong-method' ? match.allow : undefined,
    petId,
    preferences: prefer === undefined ? undefined : parsePrefer(prefer),
    fault: undefined,
    limitHeaders: undefined,
    body: undefined,
    handled: undefined,
    by: undefined,
  }
}

/** `undefined` for a malformed petId. */
export function toPetKey(petId: string | undefined): PetKey | undefined {
  return petId !== undefined && isPetKey(petId) ? petId : undefined
}

/** Whether the sandbox was reset or removed meanwhile. The request then fails, and is no part of the journal. */
export function isObsolete({ epoch, sandbox }: Exchange): boolean {
  return epoch !== sandbox.epoch
}
