import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { RequestNotes } from './request-log.ts'

/** A request with its response. */
export interface ServerExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Aborts when the server begins to close. */
  readonly closing: AbortSignal
  readonly batcher: ResponseBatcher
  /** Details for the log; `undefined` if requests are not logged. */
  readonly notes: RequestNotes | undefined
  /** Whether the client waits for a 100 before it sends its body (RFC 9110, section 10.1.1). */
  expectsContinue: boolean
  /** Whether the request waited for an earlier response. */
  isPipelined: boolean
  /** Whether the whole body was read. */
  isBodyRead: boolean
  /** Set by `toDisconnectSignal`. */
  disconnected: AbortSignal | undefined
}

/** A request has a body if it has one of these headers (RFC 9112, section 6). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Whether a body of declared length has arrived. Node marks it as complete only in the next turn of the event loop. */
export function hasArrived({ complete, headers, readableLength }: IncomingMessage): boolean {
  return complete || readableLength === Number(headers['content-length'])
}

/** Resolves when the event loop has read what has arrived, which it does between two turns. */
export function waitForPoll(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
}

/** Sends a 100 for a body that the client holds back, unless the response has started already. */
export function askForBody(exchange: ServerExchange): void {
  if (!exchange.expectsContinue || exchange.response.headersSent) return
  exchange.expectsContinue = false
  exchange.response.writeContinue()
}

/**
 * Aborts when the client disconnects. A half-closed client still receives responses that are ready, but delays and
 * proxied requests end: a half-close looks the same as giving up. One signal serves the whole exchange, because
 * Node warns of more than ten listeners, and its `pipeline` adds seven.
 */
export function toDisconnectSignal(exchange: ServerExchange): AbortSignal {
  exchange.disconnected ??= createDisconnectSignal(exchange)
  return exchange.disconnected
}

function createDisconnectSignal({ request, response }: ServerExchange): AbortSignal {
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

// Captured when the module loads, so that a runner's fake timers do not stop the mock.
const { setTimeout, clearTimeout, setImmediate } = globalThis

/** An unneeded body is read to its end if it declares at most this many bytes. */
const LARGEST_DRAINED = 65_536

/** How long a client that is still sending may read a response that closes the connection, in milliseconds. */
const LINGER_MS = 2000

/** Prepares a response that does not wait for the request's body. Call it before writing the head. */
export function leaveBody(exchange: ServerExchange): void {
  const { request, response, isBodyRead } = exchange
  const { socket } = request
  if (isBodyRead || request.complete || !hasBody(request)) return
  if (isBodyLeft(exchange)) response.shouldKeepAlive = false
  // Makes Node close the connection after the last response.
  socket.destroySoon = () => closeAfterLinger(socket)
}

/**
 * Whether the rest of the body stays unread: it is too large, of unknown length, or held back by a client that waits for
 * a 100. The connection must then be closed, because the next bytes on it are not a request.
 */
function isBodyLeft({ request, expectsContinue }: ServerExchange): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  return expectsContinue || coding !== undefined || Number(length) > LARGEST_DRAINED
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

/** Collects responses until the event loop has read all incoming bytes. */
interface ResponseBatcher {
  /** Ends a response with its remaining bytes, as a Latin-1 string. */
  end(response: ServerResponse, text?: string): void
}

/**
 * Sends the responses of one turn of the event loop together. The first write after an idle moment pays for waking the
 * client, which costs more than the rest of a request; the writes right after it do not. With 32 connections this halves
 * the time per response. A single client does not wait longer, because its response leaves in the same turn.
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
