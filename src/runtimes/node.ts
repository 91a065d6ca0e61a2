import { ClientRequestInterceptor } from '@mswjs/interceptors/ClientRequest'
import { FetchInterceptor } from '@mswjs/interceptors/fetch/web'
import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest/web'
import * as v from 'valibot'
import { MockError } from '../http/mock-error.ts'
import { object, oneOf, parseWith } from '../http/schema.ts'
import type { Mock } from '../service/mock.ts'
import { toService } from '../service/mock-service.ts'
import { type InterceptionSettings, intercept } from './shared/intercept.ts'
import { UNHANDLED_REQUEST, type UnhandledRequest } from './shared/unhandled-request.ts'

/** How to intercept. */
export interface InterceptOptions {
  /**
   * What happens to a request that is not for the mock: it goes to the network, with a warning, or it fails.
   * @default 'bypass'
   */
  readonly onUnhandledRequest?: UnhandledRequest
}

const OPTIONS = object<Required<InterceptOptions>>({
  onUnhandledRequest: v.optional(oneOf(UNHANDLED_REQUEST), 'bypass'),
})

/** An interception that is on. */
export interface Interception extends Disposable {
  /** Gives the process its network back. More than one call does no harm. */
  stop(): void
}

/**
 * Answers this process's own requests out of the mock: those of `fetch`, of `node:http` and `node:https`, and of
 * `XMLHttpRequest` where there is one (jsdom). Without a `baseUrl` it answers `/v1` and all below on every origin.
 * More than one mock can intercept; each answers what it covers, so give them different base URLs.
 * @throws {MockError} `INTERCEPT_START` where msw intercepts already.
 * @example
 * const interception = interceptRequests(mock)
 * await fetch('https://api.petstore.example/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })
 * interception.stop()
 */
export function interceptRequests(mock: Mock, options: InterceptOptions = {}): Interception {
  const failure = 'Failed to intercept requests'
  const { covers } = toService(mock, failure)
  const { onUnhandledRequest } = parseWith(OPTIONS, options, { failure })
  const stop = enable({ classes: CLASSES, covers, fetch: mock.fetch, onUnhandledRequest })
  return { stop, [Symbol.dispose]: stop }
}

/**
 * Those for the web replace the global `fetch` and `XMLHttpRequest`; those for Node, which `setupServer` takes, work on
 * sockets, are five times slower, and show jsdom's XMLHttpRequest an answer that its CORS check refuses.
 */
const CLASSES = [FetchInterceptor, ClientRequestInterceptor, XMLHttpRequestInterceptor]

/** @throws {MockError} `INTERCEPT_START` */
function enable(settings: InterceptionSettings): () => void {
  try {
    return intercept(settings)
  } catch (cause) {
    throw new MockError(
      'INTERCEPT_START',
      `Failed to intercept requests: ${(cause as Error).message} Where msw intercepts already (setupServer), give it the mock's handlers instead: setupServer(...createHandlers(mock)), from petstore-mock/msw.`,
      { cause },
    )
  }
}
