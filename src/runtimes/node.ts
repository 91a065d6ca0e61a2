/// <reference lib="esnext.disposable" preserve="true" />

import { Stream } from 'node:stream'
import { FetchInterceptor } from '@mswjs/interceptors/fetch/web'
import { HttpRequestInterceptor } from '@mswjs/interceptors/http'
import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest/web'
import * as v from 'valibot'
import { type BaseUrls, isCovered, overlap, writeBaseUrl } from '../http/base-url.ts'
import { MockError } from '../http/mock-error.ts'
import { object, parseWith } from '../http/schema.ts'
import { listIntercepted } from '../service/intercepted.ts'
import type { Mock } from '../service/mock.ts'
import { toService } from '../service/mock-service.ts'
import { ClientSockets } from './node/client-sockets.ts'
import { type InterceptionSettings, intercept } from './shared/intercept.ts'
import { createUnhandledRule, UNHANDLED_REQUEST, type UnhandledRequest } from './shared/unhandled-request.ts'

/** Options of `interceptRequests`. */
export interface InterceptOptions {
  /**
   * What to do with a request that is not for the mock: send it to the network (`bypass`, or `warn` with one warning for
   * each address), or fail it (`error`). A function decides for each request.
   * @default `warn`, but not of scripts, images and other assets, nor of other servers on this machine
   */
  readonly onUnhandledRequest?: UnhandledRequest
}

const OPTIONS = object<InterceptOptions>({ onUnhandledRequest: v.optional(UNHANDLED_REQUEST) })

/** An active interception. */
export interface Interception extends Disposable {
  /** Stops intercepting. Safe to call more than once. */
  stop(): void
}

/**
 * Answers this process's own requests from the mock: `fetch`, `node:http`, `node:https`, undici, and `XMLHttpRequest` if
 * there is one (jsdom). HTTP/2 goes to the network. Without a `baseUrl` it answers `/v1` and everything below on every origin, and
 * the control API below `/_mock`. Several mocks can intercept at once if their base URLs do not overlap.
 * @throws {MockError} `INTERCEPT_START` if msw already intercepts, or a mock with an overlapping base URL.
 * @example
 * const interception = interceptRequests(mock)
 * await fetch('https://api.petstore.example/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })
 * interception.stop()
 */
export function interceptRequests(mock: Mock, options: InterceptOptions = {}): Interception {
  const failure = 'Failed to intercept requests'
  const { covers, bases } = toService(mock, failure)
  const { onUnhandledRequest } = parseWith(OPTIONS, options, { failure })
  const active = listIntercepted()
  const taken = Array.from(active).find((others) => overlap(bases, others))
  if (taken !== undefined)
    throw new MockError(
      'INTERCEPT_START',
      `${failure}: ${taken.map(writeBaseUrl).join(', ')} is intercepted already. Stop the first interception, or give each mock a baseUrl of its own.`,
    )
  const explain = createUnhandledRule(onUnhandledRequest, bases)
  const disable = enable({
    classes: [HttpRequestInterceptor, ClientSockets],
    // Five times faster than the sockets, whose responses jsdom's XMLHttpRequest rejects in its CORS check.
    shortcuts: [FetchInterceptor, XMLHttpRequestInterceptor],
    covers,
    fetch: mock.fetch,
    onUnhandled: (request, initiator) => {
      // Asked once: the socket of this request is seen, too.
      if (typeof onUnhandledRequest === 'function' && !(initiator instanceof Stream)) return undefined
      const url = new URL(request.url)
      return Array.from(active).some((others) => isCovered(url, others)) ? undefined : explain(request)
    },
    createFailure,
  })
  // A copy, because the same mock can be started again.
  const own: BaseUrls = [...bases]
  active.add(own)
  const stop = (): void => {
    active.delete(own)
    disable()
  }
  return { stop, [Symbol.dispose]: stop }
}

/**
 * Creates the error of a broken connection as the client would get it from a server, with the code that retry logic looks
 * at. `undefined` for XMLHttpRequest, whose errors have no reason.
 */
function createFailure(initiator: unknown): Error | undefined {
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
  if (initiator instanceof Request) return new TypeError('fetch failed', { cause: reset })
  return initiator instanceof Stream ? reset : undefined
}

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
