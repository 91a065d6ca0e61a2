import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { joinBytes } from '../../http/bytes.ts'
import { createJsonResponse, REASON_PHRASES, type WireResponse } from '../../http/wire-response.ts'
import type { Connection, Connections } from './connections.ts'
import { closeAfterLinger } from './exchange.ts'

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
