import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { clearTimeout, setImmediate, setTimeout } from '../../http/globals.ts'
import { REASON_PHRASES } from '../../http/wire-response.ts'
import type { Tls } from './serve-options.ts'
import type { ServerRequest } from './server-request.ts'

/** The time limit for the head of a request, in milliseconds. */
const HEAD_MS = 30_000
/** How often Node checks for heads over the limit, in milliseconds. */
const CHECK_MS = 1000

/** The maximum number of open connections. Further ones are closed at once. */
export const MOST_CONNECTIONS = 2048

/** The maximum number of pipelined requests per connection. No more are read until some are answered. */
export const LONGEST_QUEUE = 16

/** How long a client that is still sending may read a response that closes the connection, in milliseconds. */
const LINGER_MS = 2000

/** Creates a Node server that leaves malformed requests to the mock instead of answering them itself. */
export async function createHttpServer(tls: Tls | undefined, options: ServerOptions = {}): Promise<Server> {
  const settings: ServerOptions = {
    // Joins repeated headers, as fetch does. Node would drop all but one.
    joinDuplicateHeaders: true,
    requireHostHeader: false,
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
  return server
}

interface Connection {
  latest: ServerResponse | undefined
  /** The response that is being sent, or was the last one to be. */
  current: ServerResponse | undefined
  /** The number of requests that wait for earlier responses. */
  waiting: number
  /** Whether a malformed request was rejected. Everything after it is ignored. */
  isRefused: boolean
}

type QueuedRequest = Pick<ServerRequest, 'request' | 'response'> & Partial<Pick<ServerRequest, 'isPipelined'>>

/** The connections of a server. Create it before the server listens. */
export class Connections {
  readonly #server: Server
  /** The TCP connections whose TLS handshake is not finished. */
  readonly #handshakes = new Set<Socket>()
  readonly #connections = new Map<Duplex, Connection>()
  #closed: Promise<void> | undefined

  constructor(server: Server) {
    this.#server = server
    // Over https, requests refer to the TLS socket, not to the TCP socket below it.
    const opened = 'setSecureContext' in server ? 'secureConnection' : 'connection'
    if (opened === 'secureConnection')
      server.on('connection', (socket) => {
        this.#handshakes.add(socket)
        socket.once('close', () => this.#handshakes.delete(socket))
      })
    server.on(opened, (socket) => this.#open(socket))
    // Otherwise Node cuts off unsent responses when the client half-closes.
    Object.assign(server, { httpAllowHalfOpen: true })
    server.on('clientError', (error, socket) => this.#refuseMalformed(error, socket as Socket))
    // The server is not a proxy.
    server.on('connect', (_request, socket) => this.#refuseMalformed({}, socket as Socket))
    // Otherwise Node drops what is pipelined behind such a request.
    server.on('upgrade', (request, socket, rest) => {
      const { latest } = this.#connections.get(socket) ?? {}
      // The request goes back to the socket without its Upgrade header, for a new parser, behind the latest response.
      // At once, because what is unread keeps the end of a half-closed connection back.
      socket.unshift(Buffer.concat([withoutUpgrade(request), rest]))
      // Node resumes the socket as responses leave, and nobody would read those bytes.
      const hold = (): unknown => socket.pause()
      socket.on('resume', hold)
      const parseAgain = (): void => {
        socket.off('resume', hold)
        if (socket.writable) server.emit(opened, socket)
        socket.resume()
      }
      if (latest === undefined || latest.closed) parseAgain()
      else latest.once('close', parseAgain)
    })
    // Called by `close()`. Node's own method cuts off a response that a slow client is still reading.
    server.closeIdleConnections = () => this.#closeIdle()
  }

  /**
   * Executes the requests of a connection in order, each after the response to the one before it is sent. A request with
   * nothing to wait for runs at once; with a body, it first reads what arrived together with the head.
   */
  enqueue(incoming: QueuedRequest, run: () => void): void {
    const { request, response } = incoming
    const connection = this.#connections.get(request.socket)
    // Requests after a response that closes the connection are ignored (RFC 9112, section 9.6).
    if (connection === undefined || !request.socket.writable) return
    connection.latest = response
    // Node assigns a response its socket once the responses before it are sent.
    if (response.socket === null) {
      incoming.isPipelined = true
      connection.waiting += 1
      if (connection.waiting > LONGEST_QUEUE) request.socket.pause()
      response.once('socket', () => {
        connection.current = response
        connection.waiting -= 1
        if (connection.waiting === LONGEST_QUEUE) request.socket.resume()
        process.nextTick(run)
      })
      return
    }
    connection.current = response
    // Node marks a chunked body as complete one turn later.
    if (request.headers['transfer-encoding'] !== undefined) setImmediate(run)
    else if (request.headers['content-length'] !== undefined) process.nextTick(run)
    else run()
  }

  #open(socket: Socket): void {
    if (this.#connections.has(socket)) return
    const connection: Connection = { latest: undefined, current: undefined, waiting: 0, isRefused: false }
    this.#connections.set(socket, connection)
    this.#handshakes.delete(toTcpSocket(socket))
    // Node stops listening to a socket that it hands over, also for the response that is still being sent.
    socket.on('error', () => {})
    socket.on('drain', () => connection.current?.emit('drain'))
    socket.once('close', () => this.#connections.delete(socket))
    // Node resumes the socket whenever a body is read.
    socket.on('resume', () => {
      if (connection.waiting > LONGEST_QUEUE) socket.pause()
    })
  }

  /**
   * Refuses new connections, closes idle ones at once and busy ones after their response. A response that is unfinished after
   * `grace` milliseconds is cut off.
   */
  async close(grace: number): Promise<void> {
    const timer = setTimeout(() => {
      for (const socket of [...this.#handshakes, ...this.#connections.keys()]) socket.destroy()
    }, grace)
    this.#closed ??= new Promise((resolve) => this.#server.close(() => resolve()))
    await this.#closed
    clearTimeout(timer)
  }

  #closeIdle(): void {
    for (const [socket, { latest }] of this.#connections) {
      if (latest === undefined || latest.writableFinished) socket.destroy()
      else latest.once('close', () => (socket as Socket).destroySoon())
    }
    for (const socket of this.#handshakes) socket.destroy()
  }

  /**
   * Answers a malformed request (RFC 9112, section 2.2) with a 400, 408 or 431, as Node would, but after the responses to
   * the earlier requests on the connection.
   */
  #refuseMalformed({ code = '' }: Partial<NodeJS.ErrnoException>, socket: Socket): void {
    const connection = this.#connections.get(socket)
    // Also called for a client that disconnected, or failed the TLS handshake.
    if (connection === undefined || code === 'ECONNRESET') return void socket.destroy()
    // Errors on a closing connection are expected.
    if (connection.isRefused || !socket.writable) return
    if (code === TIMEOUT && !isLate(connection, socket)) return
    refuse(socket, connection, CLIENT_ERRORS[code] ?? MALFORMED)
  }
}

/** The head of a request without its `Upgrade`, which a server may ignore (RFC 9110, section 7.8). */
function withoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('')
  return Buffer.from(`${method} ${url} HTTP/${httpVersion}\r\n${lines.replace(/^upgrade:.*\r\n/gim, '')}\r\n`, 'latin1')
}

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'
type ClientError = readonly [status: number, message: string]
const MALFORMED: ClientError = [400, 'The request is malformed']
/** By the code of Node's error. All others are malformed. */
const CLIENT_ERRORS: Readonly<Record<string, ClientError>> = {
  [TIMEOUT]: [408, 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: [431, 'The head of the request is too large'],
}

/** An idle connection may stay open, and a pipelined request that waits its turn is not late. */
function isLate({ latest }: Connection, socket: Socket): boolean {
  if (latest === undefined) return socket.bytesRead > 0
  return latest.req.complete || latest.socket !== null
}

function refuse(socket: Socket, connection: Connection, refusal: ClientError): void {
  connection.isRefused = true
  const { latest } = connection
  const write = (): void => writeRefusal(socket, latest, refusal)
  const isOut = latest === undefined || latest.closed
  // The malformed part is the next request, or the body of the latest one, which must wait its turn.
  if (!isOut && (latest.req.complete || latest.headersSent)) {
    // Makes Node close the connection: after a response that says so, or, if the client half-closed, after the latest.
    socket.destroySoon = () => (latest.writableFinished ? write() : closeAfterLinger(socket))
    latest.once('close', write)
  } else if (!isOut && latest.socket === null) latest.once('socket', () => process.nextTick(write))
  else write()
}

function writeRefusal(socket: Socket, latest: ServerResponse | undefined, [status, message]: ClientError): void {
  if (!socket.writable) return
  // Nothing may follow a response that closes the connection, and a request has only one response.
  const isAnswered = latest?.headersSent === true && !(latest.shouldKeepAlive && latest.req.complete)
  const json = JSON.stringify({ code: 'invalid_request', message, status })
  const headers = `Content-Type: application/json\r\nContent-Length: ${json.length}\r\nDate: ${new Date().toUTCString()}`
  if (!isAnswered)
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

/** A TLS socket cannot be reset. Node keeps the TCP socket below it in `_parent`, which it does not document. */
export function toTcpSocket(socket: Socket & { readonly _parent?: Socket | null }): Socket {
  return socket._parent ?? socket
}
