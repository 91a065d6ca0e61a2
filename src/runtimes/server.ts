import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CONTROL_PATH, isControlPath } from '../control/control-path.ts'
import { answerPreflight, CORS_HEADERS, isPreflight, wantsCors } from '../http/cors.ts'
import { createErrorAnswer } from '../http/error-response.ts'
import { MockError } from '../http/mock-error.ts'
import { CallAborted } from '../http/wire-request.ts'
import type { Answer } from '../http/wire-response.ts'
import type { Mock } from '../service/create-mock.ts'
import { type ConsoleFiles, createConsoleFiles, isConsolePath, isRootPath } from './server/console-files.ts'
import { createClose } from './server/create-close.ts'
import { guardControl, isLoopback } from './server/guard-control.ts'
import { toNodeCall } from './server/node-call.ts'
import { refuseTunnel } from './server/refuse-tunnel.ts'
import { logRequest, type RequestLogEntry } from './server/request-log.ts'
import { createOutbox } from './server/response-batcher.ts'
import { type ServerExchange, writeAnswer } from './server/write-answer.ts'

export type { RequestLogEntry } from './server/request-log.ts'

/** How to serve a mock. */
export interface ServeOptions {
  /**
   * The port; 0 takes a free one.
   * @default 0
   */
  readonly port?: number
  /** @default '127.0.0.1' */
  readonly host?: string
  /**
   * Whether `/_mock` answers, and with it the console, its page. Off loopback it does only where there is a token.
   * @default true
   */
  readonly control?: boolean
  /** What `X-Mock-Control-Token` must say on control requests. None is asked for without it. */
  readonly controlToken?: string
  /** Certificate and key in PEM form: serve over https. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer }
  /** Told of every request when it has been answered. */
  readonly log?: (entry: RequestLogEntry) => void
}

/** What of a mock is served. Without `base` it has the root of the server for itself. */
export type ServedMock = Pick<Mock, 'answer'> & Partial<Pick<Mock, 'base'>>

/** A server that answers. */
export interface RunningServer extends AsyncDisposable {
  /** `http://127.0.0.1:4100`, without the base path. */
  readonly url: string
  readonly port: number
  /** Where the console is; `undefined` where the control API is off. */
  readonly consoleUrl: string | undefined
  /** Takes no more requests, finishes those in flight, and frees the port. */
  close(): Promise<void>
}

/**
 * Serves a mock over TCP; resolves when it answers.
 * @throws {MockError} `SERVER_START` where the port is taken or the address is not this machine's.
 * @example
 * const server = await serve(createMock())
 * await fetch(`${server.url}/v1/inventory`, { headers: { authorization: 'Bearer demo-key' } })
 * await server.close()
 */
export async function serve(mock: ServedMock, options: ServeOptions = {}): Promise<RunningServer> {
  const { port = 0, host = '127.0.0.1', tls } = options
  // Repeated header lines are joined, as fetch joins them, where Node would drop all but one.
  const settings = { joinDuplicateHeaders: true }
  const closing = new AbortController()
  const listener = createListener(mock, { ...options, closing: closing.signal })
  const server =
    tls === undefined
      ? createServer(settings, listener)
      : (await import('node:https')).createServer({ ...settings, ...tls }, listener)
  server.on('connect', refuseTunnel)
  // A server that closes idle connections races with clients that are about to use them, which makes tests flaky.
  server.keepAliveTimeout = 0
  const drain = createClose(server)
  const close = (): Promise<void> => {
    closing.abort()
    return drain()
  }
  await listen(server, { port, host })
  const { port: bound } = server.address() as AddressInfo
  const url = `http${tls === undefined ? '' : 's'}://${toHostname(host)}:${bound}`
  return {
    url,
    port: bound,
    consoleUrl: isControlOn(options) ? `${url}${CONTROL_PATH}/` : undefined,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** How this machine reaches the server: an address that stands for all of them is none to send to. */
function toHostname(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function createListener(
  mock: ServedMock,
  { closing, ...options }: ServeOptions & { readonly closing: AbortSignal },
): RequestListener {
  const outbox = createOutbox()
  const files = createConsoleFiles()
  return (request, response) => {
    if (options.log !== undefined) logRequest(options.log, { request, response })
    respond({ mock, files }, options, { request, response, closing, outbox }).catch((error: unknown) => {
      if (!(error instanceof CallAborted)) console.error(error)
      request.socket.destroy()
    })
  }
}

async function respond(
  { mock, files }: { readonly mock: ServedMock; readonly files: ConsoleFiles },
  options: ServeOptions,
  exchange: ServerExchange,
): Promise<void> {
  const { request, response } = exchange
  const call = toNodeCall(request, response)
  if (call === undefined) {
    return writeAnswer(createErrorAnswer('invalid_request', 'The target of the request is not a URL'), exchange)
  }
  if (isControlPath(call.path)) {
    const isPage = isConsolePath(call.path)
    const refusal = refuseControl(request, { ...options, isPage })
    return writeAnswer(refusal ?? (await (isPage ? files.answer(call) : mock.answer(call))), exchange)
  }
  // A service at the root has these paths for its own.
  if (isRootPath(call.path) && mock.base !== undefined && mock.base.path !== '') {
    const answer = await files.answerRoot(call, { isConsoleOn: isControlOn(options) })
    if (answer !== undefined) return writeAnswer(answer, exchange)
  }
  if (isPreflight(call)) return writeAnswer(answerPreflight(call), exchange)
  if (wantsCors(call)) allowOrigin(response)
  await writeAnswer(await mock.answer(call), exchange)
}

function allowOrigin(response: ServerResponse): void {
  for (const [name, value] of Object.entries(CORS_HEADERS)) response.setHeader(name, value)
}

/** A browser that opens the console's page cannot send the token: the page asks for it. */
function refuseControl(
  request: IncomingMessage,
  { isPage, ...options }: ServeOptions & { readonly isPage: boolean },
): Answer | undefined {
  const { host = '127.0.0.1', control = true, controlToken } = options
  if (isControlOn(options)) return guardControl(request, { host, token: isPage ? undefined : controlToken })
  if (!control) return createErrorAnswer('not_found', 'The control API is switched off')
  return createErrorAnswer('not_found', 'The control API is off: beyond loopback it needs a control token')
}

function isControlOn({ host = '127.0.0.1', control = true, controlToken }: ServeOptions): boolean {
  return control && (controlToken !== undefined || isLoopback(host))
}

function listen(server: Server, { port, host }: { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(toStartError(cause, { port, host })))
    server.listen(port, host, resolve)
  })
}

function toStartError(cause: NodeJS.ErrnoException, { port, host }: { port: number; host: string }): MockError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${host} is taken. Stop the program that has it, or choose another port; 0 takes a free one.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine.`,
    ENOTFOUND: `${host} is not the name of an address of this machine.`,
    EACCES: `port ${port} is not allowed to you. Choose one above 1023.`,
  }
  return new MockError('SERVER_START', `Failed to start the server: ${reasons[cause.code ?? ''] ?? cause.message}`, {
    cause,
  })
}
