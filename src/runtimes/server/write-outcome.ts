import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Bytes } from '../../http/bytes.ts'
import { assertNever, type Outcome } from '../../http/outcome.ts'
import type { Awaitable } from '../../http/wire-request.ts'
import { isBodiless, REASON_PHRASES, type WireResponse } from '../../http/wire-response.ts'
import { breakConnection } from './break-connection.ts'
import { leaveBody, type ServerExchange, toDisconnectSignal } from './exchange.ts'

/** Chunk size in bytes. A larger write blocks the event loop for about 3 ms per MB. */
const LARGEST_PORTION = 1_048_576

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
