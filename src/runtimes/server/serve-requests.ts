/// <reference lib="esnext.disposable" preserve="true" />

import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v from 'valibot'
import { type Awaitable, isPromise, whenReady } from '../../http/awaitable.ts'
import { isBelow } from '../../http/base-url.ts'
import { CONTROL_PATH, isControlPath } from '../../http/control-path.ts'
import { answerPreflight, CORS_HEADERS, isPreflight, wantsCors } from '../../http/cors.ts'
import { createErrorResponse } from '../../http/error-response.ts'
import { MockError } from '../../http/mock-error.ts'
import type { Outcome } from '../../http/outcome.ts'
import { object, parseWith } from '../../http/schema.ts'
import { RequestAborted } from '../../http/wire-request.ts'
import type { WireResponse } from '../../http/wire-response.ts'
import { type Mock, type MockService, toService } from '../../service/mock.ts'
import { Connections, createHttpServer } from './connections.ts'
import { guardControl } from './guard-control.ts'
import { answerConsole, answerRoot, isConsolePath, isRootPath } from './page-files.ts'
import { logRequest } from './request-log.ts'
import {
  GRACE,
  type Grace,
  isControlOn,
  type ParsedServeOptions,
  SERVE_OPTIONS,
  type ServeOptions,
} from './serve-options.ts'
import { runInTurn, ServerRequest } from './server-request.ts'
import { ResponseBatch, writeOutcome } from './write-outcome.ts'

/** Options of `close()`. */
export interface CloseOptions {
  /** Overrides the `grace` of `serve`. */
  readonly grace?: Grace
}

const CLOSE_OPTIONS = object<{ readonly grace?: number }>({ grace: v.optional(GRACE) })

/** A listening server. */
export interface RunningServer extends AsyncDisposable {
  /** `http://127.0.0.1:4100`, without the base path. */
  readonly url: string
  /** The port that the server listens on. */
  readonly port: number
  /** The URL of the console; `undefined` if the control API is off. */
  readonly consoleUrl: string | undefined
  /**
   * Refuses new requests, finishes those in flight, and frees the port. A response that is unfinished after `grace` is
   * cut off. A further call can shorten it.
   * @throws {MockError} `INVALID_OPTION` for an invalid `grace`.
   */
  close(options?: CloseOptions): Promise<void>
}

/** The parts of a mock that a server needs. Without `bases`, it answers every path. */
export type ServedMock = Pick<MockService, 'answer'> & Partial<Pick<MockService, 'bases' | 'authenticator'>>

const START_FAILURE = 'Failed to start the server'

/**
 * Serves a mock over TCP; resolves when the server is listening.
 * @throws {MockError} `SERVER_START` if the port is taken or the host is not an address of this machine;
 * `INVALID_OPTION` for an invalid option.
 * @example
 * const server = await serve(createMock())
 * await fetch(`${server.url}/v1/inventory`, { headers: { authorization: 'Bearer demo-key' } })
 * await server.close()
 */
export async function serve(mock: Mock, options: ServeOptions = {}): Promise<RunningServer> {
  return serveRequests(toService(mock, START_FAILURE), options)
}

/** Serves what answers requests: a mock, or files. */
export async function serveRequests(mock: ServedMock, options: ServeOptions): Promise<RunningServer> {
  const parsed = parseWith(SERVE_OPTIONS, options, { failure: START_FAILURE })
  const { port, host, tls, grace, controlToken } = parsed
  // The message does not contain the token.
  if (controlToken !== undefined && mock.authenticator?.isOwn(controlToken))
    throw new MockError(
      'INVALID_OPTION',
      `${START_FAILURE}: controlToken must not be an API key, because every client that has the key could control the mock. Choose another token.`,
    )
  const server = await createHttpServer(tls).catch((cause: Error) => {
    const must =
      'tls.cert and tls.key (--tls-cert, --tls-key) must be a certificate and its key, without a passphrase (PEM)'
    throw new MockError('INVALID_OPTION', `${START_FAILURE}: ${must}: ${cause.message}`, { cause })
  })
  const connections = new Connections(server)
  const closing = new AbortController()
  // Clients use these names, and whoever started the server chose them.
  const hosts = [host, ...(mock.bases ?? []).flatMap(({ origin = [] }) => origin).map((each) => new URL(each).hostname)]
  const served: Served = { mock, options: parsed }
  const shared = { closing: closing.signal, batch: new ResponseBatch(), hosts }
  const listener: RequestListener = (request, response) => {
    // Requests after a response that closes the connection are ignored (RFC 9112, section 9.6).
    if (!request.socket.writable) return
    const incoming = new ServerRequest({ request, response, server: shared })
    if (parsed.log !== undefined) logRequest(parsed.log, incoming)
    connections.add(incoming)
    runInTurn(incoming, () => execute(served, incoming))
  }
  server.on('request', listener)
  // Unknown expectations are ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', listener)
  const close = async (closeOptions: CloseOptions = {}): Promise<void> => {
    const { grace: ms = grace } = parseWith(CLOSE_OPTIONS, closeOptions, { failure: 'Failed to close the server' })
    closing.abort()
    await connections.close(ms)
  }
  await listen(server, { port, host })
  const { port: bound } = server.address() as AddressInfo
  const url = `http${tls === undefined ? '' : 's'}://${toHostname(host)}:${bound}`
  return {
    url,
    port: bound,
    consoleUrl: isControlOn(parsed) ? `${url}${CONTROL_PATH}/` : undefined,
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

/** Resolves when the server listens. @throws {MockError} `SERVER_START` */
function listen(server: Server, { port, host }: { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: `port ${port} on ${host} is taken. Stop the program that uses it, or choose another port; 0 picks a free one.`,
      EADDRNOTAVAIL: `${host} is not an address of this machine.`,
    }
    // Stays, because an error without a listener would end the process: later, a connection may fail to be accepted.
    server.on('error', (cause: NodeJS.ErrnoException) => {
      if (server.listening) return console.error('The server failed to accept a connection:', cause)
      const reason = reasons[cause.code ?? ''] ?? cause.message
      reject(new MockError('SERVER_START', `${START_FAILURE}: ${reason}`, { cause }))
    })
    server.listen(port, host, resolve)
  })
}

/** The host in the server's URL. Clients cannot connect to a wildcard address such as 0.0.0.0. */
function toHostname(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

interface Served {
  readonly mock: ServedMock
  readonly options: ParsedServeOptions
}

function execute(served: Served, incoming: ServerRequest): void {
  const { socket } = incoming.request
  const fail = (error: unknown): void => {
    // Otherwise the client has disconnected, which is no bug.
    if (!(error instanceof RequestAborted))
      console.error(`Failed to send the response to ${incoming.method} ${incoming.path}:`, error)
    socket.destroy()
  }
  try {
    const written = whenReady(routeRequest(incoming, served), (outcome) => {
      incoming.outcome = outcome
      return writeOutcome(outcome, incoming)
    })
    if (isPromise(written)) written.catch(fail)
  } catch (error) {
    fail(error)
  }
}

/** The outcome of a request: of the console's files, the control API or the service. */
function routeRequest(incoming: ServerRequest, { mock, options }: Served): Awaitable<Outcome> {
  const { path } = incoming
  if (path === '') return createErrorResponse('invalid_request', 'The target of the request is not a URL')
  if (isControlPath(path)) {
    const isPage = isConsolePath(path)
    const refusal = refuseControl(incoming, { options, isPage })
    return refusal ?? (isPage ? answerConsole(incoming) : mock.answer(incoming))
  }
  if (!isRootPath(path) || mock.bases === undefined || isBelow(mock.bases, path)) return askMock(mock, incoming)
  return answerRoot(incoming, isControlOn(options)).then((file) => file ?? askMock(mock, incoming))
}

/** A browser cannot send the token when it opens the console; the page asks for it. */
function refuseControl(
  { request, server: { hosts } }: ServerRequest,
  { options, isPage }: Pick<Served, 'options'> & { readonly isPage: boolean },
): WireResponse | undefined {
  const { control, controlToken } = options
  if (isControlOn(options)) return guardControl(request, { hosts, token: isPage ? undefined : controlToken })
  const off = 'The control API is off: it needs a control token because the server is not on loopback'
  return createErrorResponse('not_found', control ? off : 'The control API is turned off')
}

/** Only pages send an Origin. Those of any origin may use the service, but not the control API. */
function askMock(mock: ServedMock, incoming: ServerRequest): Awaitable<Outcome> {
  if (!wantsCors(incoming)) return mock.answer(incoming)
  if (isPreflight(incoming)) return answerPreflight(incoming)
  for (const [name, value] of Object.entries(CORS_HEADERS)) incoming.response.setHeader(name, value)
  return mock.answer(incoming)
}
