import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { joinBytes } from '../../http/bytes.ts'
import { createErrorAnswer } from '../../http/error-response.ts'
import { REASON_PHRASES } from '../../http/wire-response.ts'

/** Answers CONNECT, which asks for a tunnel: Node closes the connection without a word where nobody listens for it. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  const { status, headers, body } = createErrorAnswer(
    'invalid_request',
    'CONNECT asks for a tunnel, and this server is no proxy',
  )
  const all = { ...headers, date: new Date().toUTCString(), connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.on('error', () => {})
  socket.write(`HTTP/1.1 ${status} ${REASON_PHRASES[status]}\r\n${lines.join('')}\r\n`)
  socket.end(joinBytes(body), () => socket.destroy())
}
