import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { RequestNotes } from './request-log.ts'

/** A request with its response. */
export interface ServerExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Aborts when the server begins to close. */
  readonly closing: AbortSignal
  readonly outbox: ResponseBatcher
  /** What the log says beside method, path and status; `undefined` where nobody logs. */
  readonly notes: RequestNotes | undefined
  /** Whether the client sends its body only when it is asked for it by a 100 (RFC 9110, section 10.1.1). */
  isBodyHeldBack: boolean
  /** Whether the request had to wait for the response to the one before it. */
  isPipelined: boolean
  /** Whether all of the body was read. */
  isBodyRead: boolean
}

/** RFC 9112, section 6: a request has a body where one of these headers says so. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Whether all of a body of declared length has come in; Node calls it complete only a turn of the event loop later. */
export function hasArrived({ complete, headers, readableLength }: IncomingMessage): boolean {
  return complete || readableLength === Number(headers['content-length'])
}

/** Asks for a body that is held back. A response that is on its way has answered without it. */
export function askForBody(exchange: ServerExchange): void {
  if (!exchange.isBodyHeldBack || exchange.response.headersSent) return
  exchange.isBodyHeldBack = false
  exchange.response.writeContinue()
}

/**
 * Aborts when the client goes away. One that has closed its own side still gets every response that is there at once,
 * but is not waited for: nobody can tell it from a client that has given up.
 */
export function toGoneSignal({ request, response }: Pick<ServerExchange, 'request' | 'response'>): AbortSignal {
  const { socket } = request
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  if (response.destroyed || socket.readableEnded) abort()
  socket.once('end', abort)
  response.once('close', () => {
    socket.off('end', abort)
    abort()
  })
  return controller.signal
}

// Taken when this module is loaded, so that a runner's fake timers do not stop the mock.
const { setTimeout, clearTimeout, setImmediate } = globalThis

/** In bytes. A body that declares at most this much is read to its end also where nobody needs it. */
const LARGEST_DRAINED = 65_536

/** How long a client that is still sending may take to read a response that closes its connection, in milliseconds. */
const LINGER_MS = 2000

/** Makes a response ready that does not wait for the request's body. To be called before its head is written. */
export function leaveBody(exchange: ServerExchange): void {
  const { request, response, isBodyRead } = exchange
  if (isBodyRead || request.complete || !hasBody(request)) return
  if (isBodyLeft(exchange)) response.shouldKeepAlive = false
  // Node closes the connection by this after the last response.
  request.socket.destroySoon = () => closeAfterLinger(request.socket)
}

/**
 * Whether nobody will read the rest of the body: it is too large, may have no end, or is held back by a client that was
 * not asked for it. What follows on such a connection is not a request, so it has to be closed.
 */
function isBodyLeft({ request, isBodyHeldBack }: ServerExchange): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  return isBodyHeldBack || coding !== undefined || Number(length) > LARGEST_DRAINED
}

/**
 * Ends this side of a connection while the client may still be sending, and closes the connection a moment later. A
 * socket that is closed at once is reset, and the client can lose the response (RFC 9112, section 9.6). What comes in
 * meanwhile is thrown away.
 */
export function closeAfterLinger(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.end()
  socket.resume()
}

/** Where answers wait until the event loop has read all that has come in. */
export interface ResponseBatcher {
  /** Ends a response with the rest of its bytes, each of them a character. */
  end(response: ServerResponse, text?: string): void
}

/**
 * Sends the answers of one turn of the event loop together. A write that finds its client asleep wakes it, which takes
 * longer than all the rest of a request; of writes in a row only the first does. Measured with 32 connections: half the
 * time for each answer. A client alone waits no longer, since its answer leaves in the same turn.
 */
export function createResponseBatcher(): ResponseBatcher {
  let waiting: [ServerResponse, string | undefined][] = []
  const send = (): void => {
    const answers = waiting
    waiting = []
    for (const [response, text] of answers) {
      if (text === undefined) response.end()
      else response.end(text, 'latin1')
    }
  }
  return {
    end(response, text) {
      waiting.push([response, text])
      if (waiting.length === 1) setImmediate(send)
    },
  }
}
