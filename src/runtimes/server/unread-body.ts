import type { Socket } from 'node:net'
import { hasBody, type ServerExchange } from './exchange.ts'

// Taken when this module is loaded, so that a runner's fake timers do not stop the mock.
const { setTimeout, clearTimeout } = globalThis

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
