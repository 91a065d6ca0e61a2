import type { Socket } from 'node:net'
import { assertNever, type ConnectionFault, toBeginning } from '../../http/outcome.ts'
import { REASON_PHRASES } from '../../http/wire-response.ts'
import { closeAfterLinger, type ServerExchange, toDisconnectSignal } from './exchange.ts'

// Captured when the module loads, so that a runner's fake timers do not stop the mock.
const { setTimeout, clearTimeout } = globalThis

/** The grace period for pipelined responses to reach the client, in milliseconds. */
const ARRIVAL_MS = 500

/** Applies a connection fault. A `timeout` fault holds the connection until the server closes. */
export function breakConnection(fault: ConnectionFault, exchange: ServerExchange): void {
  const { request, response, closing } = exchange
  const { socket } = request
  switch (fault.kind) {
    case 'network':
      breakOff(exchange, () => socket.destroy())
      return
    case 'reset':
      breakOff(exchange, () => toTcpSocket(socket).resetAndDestroy())
      return
    case 'timeout': {
      const ends = AbortSignal.any([fault.released, closing, toDisconnectSignal(exchange)])
      if (ends.aborted) socket.destroy()
      ends.addEventListener('abort', () => socket.destroy(), { once: true })
      return
    }
    case 'truncated': {
      const { cookies = [] } = fault
      const { status, headers } = fault.response
      const sent = cookies.length === 0 ? headers : { ...headers, 'set-cookie': [...cookies] }
      response.writeHead(status, REASON_PHRASES[status] ?? '', sent)
      // Otherwise a response without a body, as to HEAD, never sends its head.
      response.flushHeaders()
      // Flushes the written bytes before the connection closes.
      response.write(toBeginning(fault.response), () => closeAfterLinger(socket))
      return
    }
    default:
      assertNever(fault)
  }
}

/** A TLS socket cannot be reset. Node keeps the TCP socket below it in `_parent`, which it does not document. */
function toTcpSocket(socket: Socket & { readonly _parent?: Socket | null }): Socket {
  return socket._parent ?? socket
}

/** A reset discards bytes that the client has not received yet, so pipelined responses get a grace period first. */
function breakOff({ isPipelined, response }: ServerExchange, cut: () => void): void {
  if (!isPipelined) {
    cut()
    return
  }
  const timer = setTimeout(cut, ARRIVAL_MS)
  response.once('close', () => clearTimeout(timer))
}
