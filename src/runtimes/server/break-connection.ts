import { assertNever, type ConnectionFault, toBeginning } from '../../http/outcome.ts'
import { REASON_PHRASES } from '../../http/wire-response.ts'
import { type ServerExchange, toGoneSignal } from './exchange.ts'

/** Does to the connection what a fault asks for. A client that waits for ever is let go when the server closes. */
export function breakConnection(fault: ConnectionFault, { request, response, closing }: ServerExchange): void {
  const { socket } = request
  switch (fault.kind) {
    case 'network':
      socket.destroy()
      return
    case 'reset':
      socket.resetAndDestroy()
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
      response.write(toBeginning(fault.response), () => socket.destroySoon())
      return
    }
    default:
      assertNever(fault)
  }
}
