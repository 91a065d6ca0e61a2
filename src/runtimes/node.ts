/// <reference lib="esnext.disposable" preserve="true" />

import { Socket } from 'node:net'
import { Stream } from 'node:stream'
// Those of jsdom are numbers, which cannot be unreferenced.
import { clearInterval, setInterval } from 'node:timers'
import { FetchInterceptor } from '@mswjs/interceptors/fetch/web'
import { HttpRequestInterceptor } from '@mswjs/interceptors/http'
import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest/web'
import * as v from 'valibot'
import type { RemoteMock } from '../client/connect-mock.ts'
import { type BaseUrls, isCovered, overlap, writeBaseUrl } from '../http/base-url.ts'
import { untilAborted } from '../http/fetch-result.ts'
import { MockError } from '../http/mock-error.ts'
import { object, parseWith } from '../http/schema.ts'
import { listIntercepted, type Mock } from '../service/mock.ts'
import { ClientSockets } from './node/client-sockets.ts'
import { intercept } from './shared/intercept.ts'
import { toTarget } from './shared/target.ts'
import {
  createUnhandledRule,
  type InterceptOptions,
  UNHANDLED_REQUEST,
  warnOfUnreachedHandlers,
} from './shared/unhandled-request.ts'

export type { InterceptOptions } from './shared/unhandled-request.ts'

const OPTIONS = object<InterceptOptions>({ onUnhandledRequest: v.optional(UNHANDLED_REQUEST) })

/** An active interception. */
export interface Interception extends Disposable {
  /** Stops intercepting. Safe to call more than once. */
  stop(): void
}

/**
 * Answers this process's own requests from the mock: `fetch`, `node:http`, `node:https`, undici, and `XMLHttpRequest` if
 * there is one (jsdom). HTTP/2 goes to the network. Without a `baseUrl` it answers `/v1` and everything below on every origin, and
 * the control API below `/_mock`. Several mocks can intercept at once if their base URLs do not overlap. A mock of
 * `connectMock` gets the requests over the network.
 * @throws {MockError} `INTERCEPT_START` if msw already intercepts, or a mock with an overlapping base URL, and in Bun and Deno.
 * @example
 * const interception = interceptRequests(mock)
 * await fetch('https://api.petstore.example/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })
 * interception.stop()
 */
export function interceptRequests(mock: Mock | RemoteMock, options: InterceptOptions = {}): Interception {
  const failure = 'Failed to intercept requests'
  assertWhole(failure)
  const target = toTarget(mock, failure)
  const { covers, bases, fetch } = target
  const { onUnhandledRequest } = parseWith(OPTIONS, options, { failure })
  const active = listIntercepted()
  const taken = Array.from(active).find((others) => overlap(bases, others))
  if (taken !== undefined)
    throw new MockError(
      'INTERCEPT_START',
      `${failure}: ${taken.map(writeBaseUrl).join(', ')} is intercepted already. Stop the first interception, or give each mock a baseUrl of its own. A test file can have one defineTest() for a baseUrl; mock.load() gives a test other pets.`,
    )
  const explain = createUnhandledRule(onUnhandledRequest, target)
  const disable = intercept({
    classes: [HttpRequestInterceptor, ClientSockets],
    // Five times faster than the sockets, whose responses jsdom's XMLHttpRequest rejects in its CORS check.
    shortcuts: [FetchInterceptor, XMLHttpRequestInterceptor],
    covers,
    fetch: (request) => alive.during(untilAborted(fetch(request), request.signal)),
    onUnhandled: (request) => {
      const url = new URL(request.url)
      return Array.from(active).some((others) => isCovered(url, others)) ? undefined : explain(request)
    },
    createFailure,
    createStartError: (cause) =>
      new MockError(
        'INTERCEPT_START',
        `${failure}: ${cause.message} Where msw intercepts already (setupServer), give it the mock's handlers instead: setupServer(...createHandlers(mock)), from petstore-mock/msw.`,
        { cause },
      ),
  })
  warnOfUnreachedHandlers(target)
  const alive = createKeepAlive()
  // A copy, because the same mock can be started again.
  const own: BaseUrls = [...bases]
  active.add(own)
  const stop = (): void => {
    active.delete(own)
    alive.stop()
    disable()
  }
  return { stop, [Symbol.dispose]: stop }
}

/** Runtimes whose `node:http` or `node:https` the interceptors cannot replace, and a command that runs tests there. */
const OTHER_RUNTIMES = { Bun: 'bun test', Deno: 'deno test' }

/** Refuses to start where some requests would still reach the network. */
function assertWhole(failure: string): void {
  const [name, tests] = Object.entries(OTHER_RUNTIMES).find(([each]) => each in globalThis) ?? []
  if (name === undefined) return
  throw new MockError(
    'INTERCEPT_START',
    `${failure}: in ${name}, requests of some clients, such as axios, would fail or reach the network. Send them to a server instead: npx petstore-mock exec -- ${tests}. Or run the tests in Node.`,
  )
}

/** Keeps the process alive while a request waits, as a connection would: a client's `AbortSignal.timeout` does not. */
function createKeepAlive() {
  const timer = setInterval(() => {}, 2 ** 31 - 1).unref()
  let waiting = 0
  return {
    async during<Value>(answered: Promise<Value>): Promise<Value> {
      waiting += 1
      timer.ref()
      try {
        return await answered
      } finally {
        waiting -= 1
        if (waiting === 0) timer.unref()
      }
    },
    stop: (): void => clearInterval(timer),
  }
}

const RESET = { message: 'read ECONNRESET', code: 'ECONNRESET', syscall: 'read' }
/** A connection that closes before its response, for `node:http`, and for undici, which `fetch` is. */
const CLOSED = { message: 'socket hang up', code: 'ECONNRESET' }
const CLOSED_UNDICI = { message: 'other side closed', name: 'SocketError', code: 'UND_ERR_SOCKET' }

/**
 * Creates the error of a broken connection as the client would get it from a server, with the code that retry logic looks
 * at. `undefined` for XMLHttpRequest, whose errors have no reason.
 * @param error That of the mock: its cause is that of the connection, here or to a mock elsewhere.
 */
function createFailure(initiator: unknown, error: Error | undefined): Error | undefined {
  const isFetch = initiator instanceof Request
  if (!isFetch && !(initiator instanceof Stream)) return undefined
  const isReset = (error?.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNRESET'
  const closed = isFetch || initiator instanceof Socket ? CLOSED_UNDICI : CLOSED
  const { message, ...parts } = isReset ? RESET : closed
  // The mock may say more: that its sandbox was reset.
  const reason = (error?.cause as Error | undefined)?.message ?? ''
  const broken = Object.assign(new Error(reason.startsWith('other side closed: ') ? reason : message), parts)
  return isFetch ? new TypeError('fetch failed', { cause: broken }) : broken
}
