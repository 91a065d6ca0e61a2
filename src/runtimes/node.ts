import { Interceptor } from '@mswjs/interceptors'
import { ClientRequestInterceptor } from '@mswjs/interceptors/ClientRequest'
import { FetchInterceptor } from '@mswjs/interceptors/fetch/web'
import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest/web'
import { defineNetwork, InterceptorSource, type NetworkApi } from 'msw/experimental'

type SourceInterceptors = ConstructorParameters<typeof InterceptorSource>[0]['interceptors']

import { MockError } from '../contract/mock-error.ts'
import type { Mock } from '../mock.ts'

/** How to intercept. */
export interface InterceptOptions {
  /**
   * What happens to a request that is not for the double: it goes to the network, with a warning, or it fails.
   * @default 'bypass'
   */
  readonly onUnhandledRequest?: 'bypass' | 'warn' | 'error'
}

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
export function interceptRequests(mock: Pick<Mock, 'handlers'>, options: InterceptOptions = {}): Interception {
  const network = defineNetwork({
    sources: [new InterceptorSource({ interceptors: getInterceptors() })],
    handlers: mock.handlers,
    onUnhandledFrame: options.onUnhandledRequest ?? 'bypass',
    context: { quiet: true },
  })
  enable(network)
  let isOn = true
  const stop = (): void => {
    if (isOn) network.disable()
    isOn = false
  }
  return { stop, [Symbol.dispose]: stop }
}

/** @throws {MockError} `INTERCEPT_START` */
function enable(network: Pick<NetworkApi<[InterceptorSource]>, 'enable' | 'disable'>): void {
  try {
    network.enable()
  } catch (cause) {
    network.disable()
    throw new MockError(
      'INTERCEPT_START',
      `Failed to intercept requests: ${(cause as Error).message} Where msw intercepts already (setupServer), give it the mock's handlers instead: setupServer(...mock.handlers).`,
      { cause },
    )
  }
}

/**
 * The interceptors that all mocks of this process share: a global is replaced once, and given back by the last.
 * Those for the web replace the global `fetch` and `XMLHttpRequest`; those for Node, which `setupServer` takes, work on
 * sockets, are five times slower, and show jsdom's XMLHttpRequest an answer that its CORS check refuses.
 */
function getInterceptors(): SourceInterceptors {
  const classes = [
    FetchInterceptor,
    ClientRequestInterceptor,
    XMLHttpRequestInterceptor,
  ] as unknown as (typeof Interceptor)[]
  return classes.map((each) => Interceptor.singleton(each as never))
}
