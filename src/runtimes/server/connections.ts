import { createServer, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clearTimeout, setTimeout } from '../../http/globals.ts'
import { REASON_PHRASES } from '../../http/wire-response.ts'
import type { Tls } from './serve-options.ts'
import type { ServerRequest } from './server-request.ts'

/** The time limit for the head of a request, in milliseconds. */
const HEAD_MS = 30_000
/** How often Node checks for heads over the limit, in milliseconds. */
const CHECK_MS = 1000

/** The maximum number of open connections. Further ones are closed at once. */
export const MOST_CONNECTIONS = 2048

/** How long a client that is still sending may read a response that closes the connection, in milliseconds. */
const LINGER_MS = 2000

/** Creates a Node server. What is not set here is Node's default, such as the limit of five minutes for a whole request. */
export async function createHttpServer(tls: Tls | undefined, options: ServerOptions = {}): Promise<Server> {
  const settings: ServerOptions = {
    // Joins repeated headers, as fetch does. Node would drop all but one.
    joinDuplicateHeaders: true,
    // Closing idle connections races with clients that reuse them, which makes tests flaky.
    keepAliveTimeout: 0,
    headersTimeout: HEAD_MS,
    connectionsCheckingInterval: CHECK_MS,
    ...options,
  }
  // node:https is loaded only when it is used.
  const server =
    tls === undefined ? createServer(settings) : (await import('node:https')).createServer({ ...settings, ...tls })
  server.maxConnections = MOST_CONNECTIONS
  // Otherwise Node cuts off unsent responses when the client half-closes.
  return Object.assign(server, { httpAllowHalfOpen: true })
}

/** The connections of a server, each with its latest request, and their end. Create it before the server listens. */
export class Connections {
  readonly #server: Server
  /** The open TCP connections, each with the response to its latest request. */
  readonly #latest = new Map<Socket, ServerResponse | undefined>()
  /** Those with a malformed request. Everything after it is ignored. */
  readonly #refused = new WeakSet<Socket>()
  #closed: Promise<void> | undefined

  constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket) => {
      this.#latest.set(socket, undefined)
      socket.once('close', () => this.#latest.delete(socket))
    })
    server.on('clientError', (error, socket) => this.#refuseMalformed(error, socket as Socket))
    // Called by `close()`. Node's own method cuts off a response that a slow client is still reading.
    server.closeIdleConnections = () => this.#closeIdle()
  }

  /** Notes the latest request of a connection. */
  add({ request, response }: Pick<ServerRequest, 'request' | 'response'>): void {
    this.#latest.set(toTcpSocket(request.socket), response)
  }

  /**
   * Refuses new connections, closes idle ones at once and busy ones after their response. A response that is unfinished after
   * `grace` milliseconds is cut off.
   */
  async close(grace: number): Promise<void> {
    const timer = setTimeout(() => {
      for (const socket of this.#latest.keys()) socket.destroy()
    }, grace)
    this.#closed ??= new Promise((resolve) => this.#server.close(() => resolve()))
    await this.#closed
    clearTimeout(timer)
  }

  #closeIdle(): void {
    for (const [socket, latest] of this.#latest) {
      if (latest === undefined || latest.writableFinished) socket.destroy()
      else latest.once('close', () => latest.req.socket.destroySoon())
    }
  }

  /** Answers a malformed or late request as Node would, but with an Error object, and only if no other response is awaited. */
  #refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
    // That of an AbortError is a number.
    const code = String(error.code)
    // Also called for a client that disconnected, or failed the TLS handshake.
    if (code !== TIMEOUT && !code.startsWith('HPE_')) return void socket.destroy()
    // Node's time limit also applies to connections that are not used yet. They may stay open.
    const isUnused = code === TIMEOUT && socket.bytesRead === 0
    if (isUnused || !socket.writable || this.#refused.has(socket)) return
    this.#refused.add(socket)
    const latest = this.#latest.get(toTcpSocket(socket))
    if (latest === undefined || isItsTurn(latest)) writeRefusal(socket, code)
    // The response was sent before the rest of the body, which is malformed, arrived.
    else if (latest.writableFinished) closeAfterLinger(socket)
    // An earlier response comes first. A response to a malformed body never ends, so its turn is what to wait for.
    else latest.once(willEnd(latest) ? 'close' : 'socket', () => closeAfterLinger(socket))
  }
}

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'
/** Status and message by the code of Node's error. All other errors of its parser are a 400. */
const REFUSALS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  [TIMEOUT]: [408, 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: [431, 'The head of the request is too large'],
}

/** Whether a refusal is the next response: behind a request that is answered, or to one whose body is malformed. */
function isItsTurn({ req, writableFinished, headersSent, socket }: ServerResponse): boolean {
  return req.complete ? writableFinished : socket !== null && !headersSent
}

function willEnd({ req, headersSent }: ServerResponse): boolean {
  return req.complete || headersSent
}

function writeRefusal(socket: Socket, code: string): void {
  const [status, message] = REFUSALS[code] ?? [400, 'The request is malformed']
  const json = JSON.stringify({ code: 'invalid_request', message, status })
  const headers = `Content-Type: application/json\r\nContent-Length: ${json.length}\r\nDate: ${new Date().toUTCString()}`
  socket.write(`HTTP/1.1 ${status} ${REASON_PHRASES[status]}\r\nConnection: close\r\n${headers}\r\n\r\n${json}`)
  closeAfterLinger(socket)
}

/**
 * Half-closes a connection while the client may still be sending, and closes it a moment later. Closing at once would
 * reset the connection, and the client could lose the response (RFC 9112, section 9.6). Incoming bytes are discarded.
 */
export function closeAfterLinger(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.end()
  socket.resume()
}

/** The TCP socket below a TLS socket, which Node keeps in `_parent` without documenting it. Only a TCP socket can be reset. */
export function toTcpSocket(socket: Socket & { readonly _parent?: Socket | null }): Socket {
  return socket._parent ?? socket
}
