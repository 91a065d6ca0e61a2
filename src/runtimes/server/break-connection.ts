import { assertNever, type ConnectionFault, toBeginning } from '../../http/outcome.ts'
import { REASON_PHRASES } from '../../http/wire-response.ts'
import { closeAfterLinger, type ServerExchange, toGoneSignal } from './exchange.ts'

// Taken when this module is loaded, so that a runner's fake timers do not stop the mock.
const { setTimeout, clearTimeout } = globalThis

/** How long pipelined responses may take to reach the client, in milliseconds. */
const ARRIVAL_MS = 500

/** Does to the connection what a fault asks for. A client that waits for ever is let go when the server closes. */
export function breakConnection(fault: ConnectionFault, exchange: ServerExchange): void {
  const { request, response, closing } = exchange
  const { socket } = request
  switch (fault.kind) {
    case 'network':
      breakOff(exchange, () => socket.destroy())
      return
    case 'reset':
      breakOff(exchange, () => socket.resetAndDestroy())
      return
    case 'timeout': {
      const ends = AbortSignal.any([fault.released, closing, toGoneSignal({ request, response })])
      if (ends.aborted) socket.destroy()
      ends.addEventListener('abort', () => socket.destroy(), { once: true })
      return
    }
    case 'truncated': {
      const { status, headers } = fault.response
      response.writeHead(status, REASON_PHRASES[status] ?? '', headers)
      // What was written is on its way before the connection closes.
      response.write(toBeginning(fault.response), () => closeAfterLinger(socket))
      return
    }
    default:
      assertNever(fault)
  }
}

/** A reset overtakes what the client has not received yet, so pipelined responses before it are given a moment. */
function breakOff({ isPipelined, response }: ServerExchange, cut: () => void): void {
  if (!isPipelined) {
    cut()
    return
  }
  const timer = setTimeout(cut, ARRIVAL_MS)
  response.once('close', () => clearTimeout(timer))
}
