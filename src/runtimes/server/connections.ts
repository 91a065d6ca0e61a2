import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ServerExchange } from './exchange.ts'

// Taken when this module is loaded, so that a runner's fake timers do not stop the mock.
const { setImmediate, setTimeout, clearTimeout } = globalThis

/** How many requests of one connection may wait for those before them; no more are read until some are answered. */
const LONGEST_QUEUE = 100
/** The same in bytes, of their heads and bodies. */
export const LARGEST_QUEUE = 262_144
/** As much of a waiting body Node reads. In bytes. */
const LARGEST_WAITING_BODY = 65_536

/** How long a client that has closed its own side waits for its responses without a byte, in milliseconds. */
const HALF_CLOSED_MS = 30_000

/** A connection on which requests come. */
export interface Connection {
  /** The response to the latest request. */
  latest: ServerResponse | undefined
  /** How many requests wait for the responses to those before them. */
  waiting: number
  /** What they hold, in bytes. */
  waitingBytes: number
  /** Whether no more are read. */
  isFull: boolean
  /** Whether what came was refused as no request. Nothing after it counts. */
  isRefused: boolean
}

type QueuedExchange = Pick<ServerExchange, 'request' | 'response'> & Partial<Pick<ServerExchange, 'isPipelined'>>

/** The connections of a server. To be made before the server listens. */
export class Connections {
  readonly #server: Server
  /** All there are, also those that have not got through the handshake of TLS. */
  readonly #sockets = new Set<Socket>()
  readonly #connections = new Map<Duplex, Connection>()
  #closed: Promise<void> | undefined

  constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    // Over https, requests name the encrypted socket and not the one below it.
    server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket) => this.#open(socket))
    // Without it Node cuts off what a client has not received when it closes its own side.
    Object.assign(server, { httpAllowHalfOpen: true })
    // Called by `close()`. Node's own takes a response that a slow client still reads for finished, and cuts it off.
    server.closeIdleConnections = () => this.#closeIdle()
  }

  get(socket: Duplex): Connection | undefined {
    return this.#connections.get(socket)
  }

  /**
   * Carries out requests in the order in which they came on their connection: each when the response to the one before
   * it is out. Where nothing has to be waited for, a request is carried out at once, or, where it has a body, when all
   * that came with its head has been read.
   */
  carryOut(exchange: QueuedExchange, carryOut: () => void): void {
    const { request, response } = exchange
    const connection = this.#connections.get(request.socket)
    // Nothing counts that comes behind a response which closes the connection (RFC 9112, section 9.6).
    if (connection === undefined || !request.socket.writable) return
    connection.latest = response
    // Node gives a response its socket when those before it are out.
    if (response.socket === null) this.#wait(exchange, { connection, carryOut })
    // Only then does Node say that a chunked body is complete.
    else if (request.headers['transfer-encoding'] !== undefined) setImmediate(carryOut)
    else if (request.headers['content-length'] !== undefined) process.nextTick(carryOut)
    else carryOut()
  }

  #wait(exchange: QueuedExchange, { connection, carryOut }: { connection: Connection; carryOut: () => void }): void {
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
      process.nextTick(carryOut)
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
    socket.once('end', () => socket.setTimeout(HALF_CLOSED_MS))
    // Node resumes a socket whenever somebody reads a body.
    socket.on('resume', () => {
      if (connection.isFull) socket.pause()
    })
  }

  /**
   * Takes no more connections, closes those on which no response is due, and the others behind their response. What is
   * not over after `grace` milliseconds is cut off.
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

/** What an encrypted socket and the one below it have in common. */
function toPeer({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

function toWaitingBytes({ url = '', rawHeaders, headers }: IncomingMessage): number {
  const head = rawHeaders.reduce((sum, part) => sum + part.length, url.length)
  if (headers['transfer-encoding'] !== undefined) return head + LARGEST_WAITING_BODY
  return head + Math.min(Number(headers['content-length'] ?? 0), LARGEST_WAITING_BODY)
}

/** Calls `listener` with every request, also with those that wait for a 100 (Continue) before they send a body. */
export function onRequest(
  server: Server,
  listener: (request: IncomingMessage, response: ServerResponse, isBodyHeldBack: boolean) => void,
): void {
  server.on('request', (request, response) => listener(request, response, false))
  server.on('checkContinue', (request, response) => listener(request, response, true))
  // Expectations that nobody knows are ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => listener(request, response, false))
}
