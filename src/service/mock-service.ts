import type { BaseUrls } from '../http/base-url.ts'
import { MockError } from '../http/mock-error.ts'
import type { Outcome } from '../http/outcome.ts'
import { quote } from '../http/quote.ts'
import type { Awaitable, WireRequest } from '../http/wire-request.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'
import type { Mock } from './mock.ts'
import type { FindStub } from './stubs.ts'

/** The parts of a mock that only runtimes need. They are hidden from the public `Mock`. */
export interface MockService {
  /** The base URLs of the service. Links and logs use the first one. */
  readonly bases: BaseUrls
  readonly sandboxes: Sandboxes
  /** Replaces the stubs. */
  setStubs(findStub: FindStub | undefined): void
  /**
   * Like `fetch`, but without its classes. Returns a promise only if it has to wait.
   * @throws {RequestAborted} when the client disconnects.
   */
  answer(request: WireRequest): Awaitable<Outcome>
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
  throw new MockError(
    'INVALID_OPTION',
    `${failure}: the first argument must be a mock, such as createMock() returns, got ${quote(mock)}.`,
  )
}
