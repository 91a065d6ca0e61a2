import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { joinBytes } from '../../http/bytes.ts'
import { createJsonResponse, REASON_PHRASES, type WireResponse } from '../../http/wire-response.ts'
import { closeAfterLinger, type ServerExchange } from './exchange.ts'

// Captured when the module loads, so that a runner's fake timers do not stop the mock.
const { setImmediate, setTimeout, clearTimeout } = globalThis

/** The maximum number of pipelined requests per connection. No more are read until some are answered. */
const LONGEST_QUEUE = 100
/** The same limit in bytes of heads and bodies. */
export const LARGEST_QUEUE = 262_144
/** How much of a waiting request's body Node buffers, in bytes. */
const LARGEST_WAITING_BODY = 65_536

interface ConnectionTimes {
  /**
   * How long a half-closed connection may be idle while its responses are due, in milliseconds.
   * @default 30_000
   */
  readonly halfClosedTimeout?: number
}

/** A connection that sends requests. */
interface Connection {
  /** The response to the latest request. */
  latest: ServerResponse | undefined
  /** The number of requests that wait for earlier responses. */
  waiting: number
  /** The size of the waiting requests, in bytes. */
  waitingBytes: number
  /** Whether reading is paused. */
  isFull: boolean
  /** Whether a malformed request was rejected. Everything after it is ignored. */
  isRefused: boolean
}

type QueuedExchange = Pick<ServerExchange, 'request' | 'response'> & Partial<Pick<ServerExchange, 'isPipelined'>>

/** The connections of a server. Create it before the server listens. */
export class Connections {
  readonly #server: Server
  readonly #halfClosedTimeout: number
  /** All connections, including those that have not finished the TLS handshake. */
  readonly #sockets = new Set<Socket>()
  readonly #connections = new Map<Duplex, Connection>()
  #closed: Promise<void> | undefined

  constructor(server: Server, { halfClosedTimeout = 30_000 }: ConnectionTimes = {}) {
    this.#server = server
    this.#halfClosedTimeout = halfClosedTimeout
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    // Over https, requests refer to the TLS socket, not to the TCP socket below it.
    server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket) => this.#open(socket))
    // Otherwise Node cuts off unsent responses when the client half-closes.
    Object.assign(server, { httpAllowHalfOpen: true })
    // Called by `close()`. Node's own method cuts off a response that a slow client is still reading.
    server.closeIdleConnections = () => this.#closeIdle()
  }

  get(socket: Duplex): Connection | undefined {
    return this.#connections.get(socket)
  }

  /**
   * Executes the requests of a connection in order, each after the response to the one before it is sent. A request with
   * nothing to wait for runs at once; with a body, it first reads what arrived together with the head.
   */
  enqueue(exchange: QueuedExchange, run: () => void): void {
    const { request, response } = exchange
    const connection = this.#connections.get(request.socket)
    // Requests after a response that closes the connection are ignored (RFC 9112, section 9.6).
    if (connection === undefined || !request.socket.writable) return
    connection.latest = response
    // Node assigns a response its socket once the responses before it are sent.
    if (response.socket === null) this.#wait(exchange, { connection, run })
    // Node marks a chunked body as complete one turn later.
    else if (request.headers['transfer-encoding'] !== undefined) setImmediate(run)
    else if (request.headers['content-length'] !== undefined) process.nextTick(run)
    else run()
  }

  #wait(exchange: QueuedExchange, { connection, run }: { connection: Connection; run: () => void }): void {
    const { request, response } = exchange
    const { socket } = request
    exchange.isPipelined = true
    const bytes = toWaitingBytes(request)
    const count = (change: 1 | -1): void => {
      connection.waiting += change
      connection.waitingBytes += change * bytes
      connection.isFull = connection.waiting > LONGEST_QUEUE || connection.waitingBytes > LARGEST_QUEUE
    }
    count(1)
    if (connection.isFull) socket.pause()
    response.once('socket', () => {
      const wasFull = connection.isFull
      count(-1)
      if (wasFull && !connection.isFull) socket.resume()
      process.nextTick(run)
    })
  }

  #open(socket: Socket): void {
    const connection: Connection = {
      latest: undefined,
      waiting: 0,
      waitingBytes: 0,
      isFull: false,
      isRefused: false,
    }
    this.#connections.set(socket, connection)
    socket.once('close', () => this.#connections.delete(socket))
    socket.once('end', () => socket.setTimeout(this.#halfClosedTimeout))
    // Node resumes the socket whenever a body is read.
    socket.on('resume', () => {
      if (connection.isFull) socket.pause()
    })
  }

  /**
   * Refuses new connections, closes idle ones at once and busy ones after their response. A response that is unfinished after
   * `grace` milliseconds is cut off.
   */
  async close(grace: number): Promise<void> {
    const timer = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy()
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
    const secured = new Set(Array.from(this.#connections.keys(), (socket) => toPeer(socket as Socket)))
    for (const socket of this.#sockets) {
      if (!secured.has(toPeer(socket))) socket.destroy()
    }
  }
}

/** A key that a TLS socket and the TCP socket below it share. */
function toPeer({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

function toWaitingBytes({ url = '', rawHeaders, headers }: IncomingMessage): number {
  const head = rawHeaders.reduce((sum, part) => sum + part.length, url.length)
  if (headers['transfer-encoding'] !== undefined) return head + LARGEST_WAITING_BODY
  return head + Math.min(Number(headers['content-length'] ?? 0), LARGEST_WAITING_BODY)
}

/** Calls `listener` with every request, including those that wait for a 100 (Continue) before they send a body. */
export function onRequest(
  server: Server,
  listener: (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => void,
): void {
  server.on('request', (request, response) => listener(request, response, false))
  server.on('checkContinue', (request, response) => listener(request, response, true))
  // Unknown expectations are ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => listener(request, response, false))
}

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

/** By the code of Node's error. All others are a 400. */
const REFUSALS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  [TIMEOUT]: [408, 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: [431, 'The head of the request is too large'],
}

/**
 * Answers a malformed request (RFC 9112, section 2.2) with a 400, 408 or 431 and an Error object, and closes the
 * connection. Earlier requests on the connection get their responses first.
 */
export function refuseMalformed(server: Server, connections: Connections): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const connection = connections.get(socket)
    // Also called for a client that disconnected, or failed the TLS handshake.
    if (connection === undefined || error.code === 'ECONNRESET') return void socket.destroy()
    // Errors on a closing connection are expected.
    if (connection.isRefused || !socket.writable) return
    if (error.code === TIMEOUT && !isLate(connection, socket as Socket)) return
    const [status, message] = REFUSALS[error.code ?? ''] ?? [400, `The request is malformed: ${toReason(error)}`]
    refuse(socket as Socket, { connection, response: createRefusal(status, message) })
  })
  server.on('connect', (_request, socket) => {
    const connection = connections.get(socket)
    if (connection === undefined) return void socket.destroy()
    // Node stops listening to a socket that it hands over.
    socket.on('error', () => {})
    refuse(socket as Socket, {
      connection,
      response: createRefusal(400, 'CONNECT is not supported: this server is not a proxy'),
    })
  })
}

/** An idle connection may stay open, and a pipelined request that waits its turn is not late. */
function isLate({ latest }: Connection, socket: Socket): boolean {
  if (latest === undefined) return socket.bytesRead > 0
  return latest.req.complete || latest.socket !== null
}

function toReason({ message }: Error): string {
  return message.replace(/^Parse Error: /, '')
}

/** Uses the code of a 400, because the list of codes is closed. */
function createRefusal(status: number, message: string): WireResponse {
  return createJsonResponse(status, JSON.stringify({ code: 'invalid_request', message, status }))
}

interface Refusal {
  readonly connection: Connection
  readonly response: WireResponse
}

function refuse(socket: Socket, { connection, response }: Refusal): void {
  connection.isRefused = true
  const { latest } = connection
  const write = (): void => writeRefusal(socket, { connection, response })
  const isOut = latest === undefined || latest.closed
  // The malformed part is the next request, or the body of the latest one, which must wait its turn.
  if (!isOut && (latest.req.complete || latest.headersSent)) {
    // Makes Node close the connection: after a response that says so, or, if the client half-closed, after the latest.
    socket.destroySoon = () => (latest.writableFinished ? write() : closeAfterLinger(socket))
    latest.once('close', write)
  } else if (!isOut && latest.socket === null) latest.once('socket', () => process.nextTick(write))
  else write()
}

function writeRefusal(socket: Socket, { connection: { latest }, response }: Refusal): void {
  if (!socket.writable) return
  // Nothing may follow a response that closes the connection, and a request has only one response.
  const isAnswered = latest?.headersSent === true && !(latest.shouldKeepAlive && latest.req.complete)
  if (!isAnswered) socket.write(Buffer.concat([Buffer.from(toHead(response)), joinBytes(response.body)]))
  closeAfterLinger(socket)
}

function toHead({ status, headers }: WireResponse): string {
  const lines = Object.entries({ ...headers, connection: 'close', date: new Date().toUTCString() })
  const fields = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `HTTP/1.1 ${status} ${REASON_PHRASES[status] ?? ''}\r\n${fields}\r\n`
}
