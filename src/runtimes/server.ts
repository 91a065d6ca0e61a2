import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v from 'valibot'
import { isBelow } from '../http/base-url.ts'
import { answerPreflight, CORS_HEADERS, isPreflight } from '../http/cors.ts'
import { createErrorResponse } from '../http/error-response.ts'
import type { Outcome } from '../http/outcome.ts'
import { CONTROL_PATH, isControlPath } from '../http/router.ts'
import { boolean, callback, mustSecretly, object, parseWith, string, whole } from '../http/schema.ts'
import { type Awaitable, isPromise, RequestAborted, type WireRequest, whenReady } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import type { Mock } from '../service/mock.ts'
import { type MockService, toService } from '../service/mock-service.ts'
import { Connections, onRequest } from './server/connections.ts'
import { type ConsoleFiles, createConsoleFiles, isConsolePath, isRootPath } from './server/console-files.ts'
import { askForBody, createResponseBatcher, hasArrived, type ServerExchange } from './server/exchange.ts'
import { DEFAULT_GRACE, GRACE, type Grace } from './server/grace.ts'
import { guardControl, isLoopback } from './server/guard-control.ts'
import { createHttpServer, listen, type Tls, toHostname } from './server/http-server.ts'
import { toNodeRequest } from './server/node-request.ts'
import { refuseMalformed } from './server/refuse-malformed.ts'
import { findError, logRequest, type RequestLogEntry } from './server/request-log.ts'
import { writeOutcome } from './server/write-outcome.ts'

export type { Grace } from './server/grace.ts'
export type { RequestLogEntry } from './server/request-log.ts'

/** Options of `serve`. */
export interface ServeOptions {
  /**
   * The port; 0 picks a free one.
   * @default 0
   */
  readonly port?: number
  /** @default '127.0.0.1' */
  readonly host?: string
  /**
   * Whether to serve the control API under `/_mock`, and with it the console. Off loopback this requires `controlToken`.
   * @default true
   */
  readonly control?: boolean
  /** The token that control requests must send as `X-Mock-Control-Token`. Without it, none is required. */
  readonly controlToken?: string
  /** Certificate and key (PEM). Serves over https. */
  readonly tls?: Tls
  /**
   * How long `close()` waits for responses in flight before it cuts them off: milliseconds, or a string such as `'500ms'`.
   * @default '5s'
   */
  readonly grace?: Grace
  /** Called with every request after it is answered. */
  readonly log?: (entry: RequestLogEntry) => void
}

type ParsedServeOptions = Omit<ServeOptions, 'port' | 'host' | 'control' | 'grace'> & {
  readonly port: number
  readonly host: string
  readonly control: boolean
  readonly grace: number
}

const pem = v.custom<string | Buffer>(
  (value) => typeof value === 'string' || value instanceof Uint8Array,
  mustSecretly('a PEM text or a Buffer'),
)

const OPTIONS = object<ParsedServeOptions>({
  port: v.optional(whole(0, 65_535), 0),
  host: v.optional(string, '127.0.0.1'),
  control: v.optional(boolean, true),
  controlToken: v.optional(v.string(mustSecretly('a string'))),
  tls: v.optional(object<Tls>({ cert: pem, key: pem })),
  grace: v.optional(GRACE, DEFAULT_GRACE),
  log: v.optional(callback<(entry: RequestLogEntry) => void>()),
})

/** Options of `close()`. */
export interface CloseOptions {
  /** Overrides the `grace` of `serve`. */
  readonly grace?: Grace
}

const CLOSE_OPTIONS = object<{ readonly grace?: number }>({ grace: v.optional(GRACE) })

/** The parts of a mock that a server needs. Without `bases`, it answers every path. */
type ServedMock = Pick<MockService, 'answer'> & Partial<Pick<MockService, 'bases'>>

/** A listening server. */
export interface RunningServer extends AsyncDisposable {
  /** `http://127.0.0.1:4100`, without the base path. */
  readonly url: string
  /** The port that the server listens on. */
  readonly port: number
  /** The URL of the console; `undefined` if the control API is off. */
  readonly consoleUrl: string | undefined
  /**
   * Refuses new requests, finishes those in flight, and frees the port. A response that is unfinished after `grace` is cut off. A
   * further call can shorten it.
   * @throws {MockError} `INVALID_OPTION` for an invalid `grace`.
   */
  close(options?: CloseOptions): Promise<void>
}

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
  const failure = 'Failed to start the server'
  const service = toService(mock, failure)
  const parsed = parseWith(OPTIONS, options, { failure })
  const { port, host, tls, grace } = parsed
  const server = await createHttpServer(tls)
  const connections = new Connections(server)
  const closing = new AbortController()
  listenToRequests(server, service, { ...parsed, connections, closing: closing.signal })
  refuseMalformed(server, connections)
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

type ListenOptions = ParsedServeOptions & {
  readonly connections: Connections
  readonly closing: AbortSignal
}

function listenToRequests(server: Server, mock: ServedMock, { connections, closing, ...options }: ListenOptions): void {
  const outbox = createResponseBatcher()
  const files = createConsoleFiles()
  onRequest(server, (request, response, isBodyHeldBack) => {
    const notes = options.log && logRequest(options.log, { request, response })
    const exchange: ServerExchange = {
      request,
      response,
      closing,
      outbox,
      notes,
      isBodyHeldBack,
      isBodyRead: false,
      isPipelined: false,
      gone: undefined,
    }
    connections.carryOut(exchange, () => carryOut({ mock, files }, options, exchange))
  })
}

function carryOut(served: Served, options: ParsedServeOptions, exchange: ServerExchange): void {
  // Harmless for a client that did not wait for the 100, and makes Node keep the connection.
  if (exchange.isBodyHeldBack && hasArrived(exchange.request)) askForBody(exchange)
  const { socket } = exchange.request
  const fail = (error: unknown): void => {
    if (!isAborted(error)) console.error(error)
    socket.destroy()
  }
  try {
    const written = whenReady(toReply(served, options, exchange), (reply) => {
      if (exchange.notes !== undefined) exchange.notes.error = findError(reply)
      return writeOutcome(reply, exchange)
    })
    if (isPromise(written)) written.catch(fail)
  } catch (error) {
    fail(error)
  }
}

/** The client has disconnected, or a proxied response has ended early. Neither is a bug. */
function isAborted(error: unknown): boolean {
  return error instanceof RequestAborted || (error as Error | undefined)?.cause instanceof RequestAborted
}

interface Served {
  readonly mock: ServedMock
  readonly files: ConsoleFiles
}

function toReply({ mock, files }: Served, options: ParsedServeOptions, exchange: ServerExchange): Awaitable<Outcome> {
  const { request, response } = exchange
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    return createErrorResponse('invalid_request', 'A request of HTTP/1.1 needs a Host header')
  }
  const call = toNodeRequest(exchange)
  if (call === undefined) return createErrorResponse('invalid_request', 'The target of the request is not a URL')
  if (isControlPath(call.path)) {
    const isPage = isConsolePath(call.path)
    const refusal = refuseControl(request, { ...options, isPage })
    return refusal ?? (isPage ? files.answer(call) : mock.answer(call))
  }
  const { bases } = mock
  if (bases === undefined || isBelow(bases, call.path) || !isRootPath(call.path)) {
    return answerService(mock, { call, response })
  }
  const answered = files.answerRoot(call, { isConsoleOn: isControlOn(options) })
  return answered.then((answer) => answer ?? answerService(mock, { call, response }))
}

function answerService(
  mock: ServedMock,
  { call, response }: { readonly call: WireRequest; readonly response: ServerResponse },
): Awaitable<Outcome> {
  // Only pages send an Origin.
  if (call.header('origin') === undefined) return mock.answer(call)
  if (isPreflight(call)) return answerPreflight(call)
  allowOrigin(response)
  return mock.answer(call)
}

function allowOrigin(response: ServerResponse): void {
  for (const [name, value] of Object.entries(CORS_HEADERS)) response.setHeader(name, value)
}

/** A browser cannot send the token when it opens the console; the page asks for it. */
function refuseControl(
  request: IncomingMessage,
  { isPage, ...options }: ParsedServeOptions & { readonly isPage: boolean },
): WireResponse | undefined {
  const { host, control, controlToken } = options
  if (isControlOn(options)) return guardControl(request, { host, token: isPage ? undefined : controlToken })
  if (!control) return createErrorResponse('not_found', 'The control API is turned off')
  return createErrorResponse(
    'not_found',
    'The control API is off: it needs a control token because the server is not on loopback',
  )
}

function isControlOn({ host, control, controlToken }: ParsedServeOptions): boolean {
  return control && (controlToken !== undefined || isLoopback(host))
}
