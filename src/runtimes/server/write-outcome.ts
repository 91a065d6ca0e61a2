import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Bytes } from '../../http/bytes.ts'
import { assertNever, type ConnectionFault, type Outcome, toBeginning } from '../../http/outcome.ts'
import type { Awaitable } from '../../http/wire-request.ts'
import { isBodiless, REASON_PHRASES, type WireResponse } from '../../http/wire-response.ts'
import { closeAfterLinger, leaveBody, type ServerExchange, toDisconnectSignal } from './exchange.ts'

// Captured when the module loads, so that a runner's fake timers do not stop the mock.
const { setTimeout, clearTimeout } = globalThis

/** Chunk size in bytes. A larger write blocks the event loop for about 3 ms per MB. */
const LARGEST_PORTION = 1_048_576

/** The grace period for pipelined responses to reach the client, in milliseconds. */
const ARRIVAL_MS = 500

/** Writes the outcome of a request. */
export function writeOutcome(outcome: Outcome, exchange: ServerExchange): Awaitable<void> {
  switch (outcome.type) {
    case 'response':
      prepareConnection(exchange)
      return writeResponse(outcome, exchange)
    case 'fetch-response':
      prepareConnection(exchange)
      return writeFetchResponse(outcome.response, exchange)
    case 'connection-fault':
      return breakConnection(outcome, exchange)
    default:
      return assertNever(outcome)
  }
}

/** Adds `Connection: close` if a body stays unread or the server is closing. */
function prepareConnection(exchange: ServerExchange): void {
  leaveBody(exchange)
  if (exchange.closing.aborted) exchange.response.shouldKeepAlive = false
}

function writeResponse(whole: WireResponse, { request, response, batcher }: ServerExchange): Awaitable<void> {
  const { status, headers, body } = whole
  response.writeHead(status, REASON_PHRASES[status] ?? '', headers)
  if (isBodiless(whole, request.method ?? 'GET')) return batcher.end(response)
  const [first] = body
  if (body.length > 1 || first === undefined) return writePieces(body, response)
  // Head and body are one Latin-1 string, so that they leave in one write. Latin-1 maps each byte to one character.
  batcher.end(response, Buffer.from(first.buffer, first.byteOffset, first.byteLength).toString('latin1'))
}

async function writePieces(pieces: readonly Bytes[], response: ServerResponse): Promise<void> {
  let portion = 0
  for (const piece of pieces) {
    response.write(piece)
    portion += piece.byteLength
    if (portion < LARGEST_PORTION) continue
    portion = 0
    if (response.writableNeedDrain) await waitForDrain(response)
    if (response.destroyed) return
  }
  response.end()
}

function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      response.off('drain', end).off('close', end)
      resolve()
    }
    response.once('drain', end).once('close', end)
  })
}

/** A response from a user handler, or an event stream. */
async function writeFetchResponse(answer: Response, exchange: ServerExchange): Promise<void> {
  const { response, closing } = exchange
  // The client disconnected while the handler was working. A stream without a reader must end.
  if (response.destroyed) return answer.body?.cancel()
  response.statusCode = answer.status
  response.statusMessage = answer.statusText
  for (const [name, value] of answer.headers) {
    // Node frames the body itself.
    if (name !== 'set-cookie' && name !== 'transfer-encoding') response.setHeader(name, value)
  }
  // A copy of a fetched response may have the length and coding of the body before it was decoded.
  if (answer.headers.has('content-encoding')) response.removeHeader('content-length')
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) response.setHeader('set-cookie', cookies)
  if (answer.body === null || exchange.request.method === 'HEAD') {
    response.end()
    return answer.body?.cancel()
  }
  const length = response.getHeader('content-length')
  const web = Readable.fromWeb(answer.body as never)
  const body = length === undefined ? web : Readable.from(checkLength(web, Number(length)), { objectMode: false })
  // An event stream never ends, so a closing server cannot wait for it.
  const isEndless = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isEndless) response.flushHeaders()
  const signal = isEndless ? AbortSignal.any([closing, toDisconnectSignal(exchange)]) : undefined
  await pipeline(body, response, signal === undefined ? {} : { signal }).catch((error: NodeJS.ErrnoException) => {
    const hasDisconnected = error.code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (!hasDisconnected && signal?.aborted !== true) throw error
  })
}

/** Bytes beyond the length would become the next response on the connection. */
async function* checkLength(body: AsyncIterable<Uint8Array>, length: number): AsyncIterable<Uint8Array> {
  let left = length
  for await (const chunk of body) {
    left -= chunk.byteLength
    if (left < 0) break
    yield chunk
  }
  if (left !== 0) throw new Error(`Failed to respond: the handler's Content-Length is ${length}, and its body is not.`)
}

/** Applies a connection fault. A `timeout` fault holds the connection until the server closes. */
function breakConnection(fault: ConnectionFault, exchange: ServerExchange): void {
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
      const { status, headers } = fault.response
      response.writeHead(status, REASON_PHRASES[status] ?? '', headers)
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
