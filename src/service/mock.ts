import type { Authenticator } from '../auth/authenticator.ts'
import type { Awaitable } from '../http/awaitable.ts'
import type { BaseUrls } from '../http/base-url.ts'
import { MockError } from '../http/mock-error.ts'
import type { Outcome } from '../http/outcome.ts'
import { quote } from '../http/quote.ts'
import type { WireRequest } from '../http/wire-request.ts'
import type { Clock } from '../sandbox/clock.ts'
import type { InventoryChange } from '../sandbox/events.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'
import type { UserHandler } from '../sandbox/user-handler.ts'
import type { FixtureSource } from '../store/seed.ts'
import type { FindStub } from './stubs.ts'

/** A stateful mock of the petstore's inventory service. Its own controls are those of its default sandbox. */
export interface Mock extends Sandbox {
  /** The whole service as a function with the signature of `fetch`. It does not use the network. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** The time that delays and journal entries use. */
  readonly clock: Clock
  /**
   * Controls one sandbox, which is created on first use. One that was removed or evicted is another one when it is opened
   * again.
   * @throws {MockError} `INVALID_SANDBOX` unless the name is 1 to 64 letters, digits, dots, underscores and hyphens.
   */
  sandbox(name: string): Sandbox
  /** Calls `reset()` of every sandbox. */
  resetAll(): void
  /**
   * Serializes the pets of all sandboxes as one JSON document: the seed once, and the changes of each sandbox. The file of
   * `serve --state` and the state that a page stores hold the same. Meant for up to 100 MB.
   */
  exportState(): string
  /**
   * Restores the states from `exportState()`; sandboxes that it does not have start from the mock's seed. `reset()` still
   * restores the mock's seed.
   * @param origin The name of the text in messages, such as its file name.
   * @throws {FixtureError} when the text is invalid. All states are then unchanged.
   */
  importState(text: string, origin?: string): void
  /**
   * Calls `listener` synchronously for every change of a sandbox's inventory. Returns a function that unsubscribes.
   * @example
   * const stop = mock.onChange(({ sandbox, type }) => console.log(sandbox, type))
   */
  onChange(listener: (change: InventoryChange) => void): () => void
  /**
   * Replaces the seed and resets every sandbox to it.
   * @throws {FixtureError} when the fixture is invalid. Nothing is then changed.
   */
  reseed(fixture: FixtureSource, name?: string): void
}

/** The parts of a mock that only runtimes need. They are hidden from the public `Mock`. */
export interface MockService {
  /** The base URLs of the service. Links and logs use the first one. */
  readonly bases: BaseUrls
  readonly sandboxes: Sandboxes
  readonly authenticator: Authenticator
  /** The msw handlers of the option `handlers`. */
  readonly handlers: readonly UserHandler[]
  setStubs(findStub: FindStub | undefined): void
  /** `answer` of `answer.ts`, with the parts of this mock. Returns a promise only if it has to wait. */
  answer(request: WireRequest): Awaitable<Outcome>
  /** Like that of the mock, for runtimes: they know themselves when a client leaves, and when a process may end. */
  fetch(request: Request): Promise<Response>
  /** Whether a request to this address is for the mock. Some runtimes also see requests to other servers. */
  covers(url: URL): boolean
}

/** A registered symbol, so that a mock also works with another copy of this package. */
const SERVICE = Symbol.for('petstore-mock.service')

/** Adds the service to a mock's own members. */
export function withService<Controls extends object>(controls: Controls, service: MockService): Controls {
  // A spread would turn getters into plain properties.
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(controls)) as Controls
  return Object.assign(copy, { [SERVICE]: service })
}

/**
 * Returns the service of a mock.
 * @throws {MockError} `INVALID_OPTION` when the value is not a mock.
 */
export function toService(mock: Mock, failure = 'Failed to use a mock'): MockService {
  const service = (mock as { [SERVICE]?: MockService } | undefined)?.[SERVICE]
  if (service !== undefined) return service
  const given = mock?.inventory === undefined ? quote(mock) : 'a sandbox, or a mock elsewhere. Pass the mock itself'
  const reason = `the first argument must be a mock, such as createMock() returns, got ${given}.`
  throw new MockError('INVALID_OPTION', `${failure}: ${reason}`)
}

/**
 * Marks, in the Accept header, a request that no mock answers. It is msw's (https://mswjs.io/docs/api/bypass), so that
 * msw's service worker knows it too.
 */
export const BYPASS_MARK = 'msw/passthrough'

const INTERCEPTED = Symbol.for('petstore-mock.intercepted')

/** The base URLs of all interceptions. Like the globals that they replace, they belong to the realm. */
export function listIntercepted(): Set<BaseUrls> {
  const shared = globalThis as { [INTERCEPTED]?: Set<BaseUrls> }
  shared[INTERCEPTED] ??= new Set()
  return shared[INTERCEPTED]
}
