/// <reference lib="esnext.disposable" preserve="true" />

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import { Socket } from 'node:net'
import { Stream } from 'node:stream'
import { clearInterval, setInterval } from 'node:timers'
import { Interceptor } from '@mswjs/interceptors'
import { ClientRequestInterceptor } from '@mswjs/interceptors/ClientRequest'
import { FetchInterceptor } from '@mswjs/interceptors/fetch/web'
import { HttpRequestInterceptor } from '@mswjs/interceptors/http'
import { SocketInterceptor } from '@mswjs/interceptors/net'
import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest/web'
import * as v from 'valibot'
import type { RemoteMock } from '../client/connect-mock.ts'
import { type BaseUrls, isCovered, overlap, writeBaseUrl } from '../http/base-url.ts'
import { setImmediate } from '../http/globals.ts'
import { MockError } from '../http/mock-error.ts'
import { object, parseWith } from '../http/schema.ts'
import { listIntercepted, type Mock } from '../service/mock.ts'
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
    fetch: (request) => alive.during(fetch(request)),
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

/** States of a socket's controller. */
const PENDING = 0
const PASSTHROUGH = 2

/**
 * Prepares the sockets of this process for the interceptor of their requests: it waits for a ClientRequest that is late to
 * send its head, frees closed sockets, and leaves connections that speak HTTP/2, or whose server speaks first, to the
 * network. Emits nothing itself.
 */
class ClientSockets extends Interceptor<Record<never, never>> {
  static override readonly symbol: symbol = Symbol.for('petstore-mock.client-sockets')

  protected override predicate(): boolean {
    return true
  }

  protected override setup(): void {
    const sockets = Interceptor.singleton(SocketInterceptor)
    for (const each of [sockets, Interceptor.singleton(ClientRequestInterceptor)]) {
      each.apply(this)
      this.subscriptions.push(() => each.dispose(this))
    }
    const ended = new AbortController()
    this.subscriptions.push(() => ended.abort(), watchFakedTicks())
    sockets.on(
      'connection',
      ({ socket, connectionOptions, controller }) => {
        // `_destroy` in `respondWith`, in the file linked in intercept.ts, leaves the handle open, which keeps the socket and its
        // requests in memory. The handle of a connection to the network closes by itself.
        socket.once('close', () => {
          if (controller.readyState !== PASSTHROUGH) socket._handle?.close()
        })
        if (isHttp2(socket, connectionOptions)) return void controller.passthrough()
        // Makes an HTTP/2 session that starts later write through the socket, which then leaves it to the network.
        Object.defineProperty(socket._handle ?? {}, 'isStreamBase', { value: false })
        let isWritten = false
        socket.once('data', (chunk) => {
          isWritten = true
          // The first words of HTTP/2. The handshake with the server is still to come.
          if (chunk.toString('latin1', 0, 4) === 'PRI ') Object.assign(connectionOptions, { ALPNProtocols: ['h2'] })
        })
        onRead(socket, () => {
          // A ClientRequest takes the socket before it reads, and an agent leaves `null` when it frees the socket. The first
          // write alone does not tell: that of parallel requests comes before the listener above.
          // https://github.com/nodejs/node/blob/v24.18.0/lib/_http_agent.js
          const isAwaited = isWritten || socket.destroyed || socket._httpMessage !== undefined
          if (controller.readyState === PENDING && !isAwaited) controller.passthrough()
        })
      },
      ended,
    )
  }
}

/** Taken when the module loads, before a test runner can fake it. */
const { nextTick } = process

/**
 * Says once why requests of `node:http` wait where `process.nextTick` is faked: the interceptor of sockets calls it for
 * each new connection. Returns a function that stops watching.
 */
function watchFakedTicks(): () => void {
  const onCreated = (message: unknown): void => {
    const { request } = message as { readonly request: ClientRequest }
    if (process.nextTick === nextTick || request.reusedSocket) return
    stop()
    console.error(
      "petstore-mock: A request waits because process.nextTick is faked. Leave it real: jest.useFakeTimers({ doNotFake: ['nextTick'] }).",
    )
  }
  const stop = (): void => void unsubscribe('http.client.request.created', onCreated)
  subscribe('http.client.request.created', onCreated)
  return stop
}

/**
 * Whether a new connection speaks only HTTP/2. @mswjs/interceptors 0.45.12 waits for its first bytes for ever, because a
 * session takes the handle from its socket (https://github.com/mswjs/interceptors/issues/485). A session is recognized by
 * its listener: https://github.com/nodejs/node/blob/v24.18.0/lib/internal/http2/core.js
 */
function isHttp2(socket: Socket, options: object): boolean {
  const isOffered = 'ALPNProtocols' in options && String(options.ALPNProtocols) === 'h2'
  return isOffered || socket.listeners('error').some(({ name }) => name === 'socketOnError')
}

/** Calls back, a turn later, when somebody reads from the socket. */
function onRead(socket: Socket, callback: () => void): void {
  const onListener = (event: string | symbol): unknown => event === 'data' && setImmediate(callback)
  socket.on('newListener', onListener)
  if (socket.listenerCount('data') > 0) onListener('data')
}
