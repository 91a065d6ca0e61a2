import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Bytes } from '../../http/bytes.ts'
import { isAnswer, isBroken, type Reply } from '../../http/outcome.ts'
import { isBodiless, REASON_PHRASES } from '../../http/wire-response.ts'
import { breakConnection } from './break-connection.ts'
import type { Outbox } from './response-batcher.ts'

/** How long a client that is still sending a refused body may take to read its answer, in milliseconds. */
const LINGER_MS = 500

/** In bytes. What is written in one go is copied in one go, three milliseconds a megabyte, and nobody has his turn. */
const LARGEST_PORTION = 1_048_576

/** A request with its response. */
export interface ServerExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Aborts when the server begins to close. */
  readonly closing: AbortSignal
  readonly outbox: Outbox
}

/** Writes what the service answered. */
export async function writeAnswer(
  answer: Reply,
  { request, response, closing, outbox }: ServerExchange,
): Promise<void> {
  if (isBroken(answer)) return breakConnection(answer, { response, closing })
  if (!isAnswer(answer)) return writeResponse(answer, { response, closing })
  response.writeHead(answer.status, REASON_PHRASES[answer.status] ?? '', answer.headers)
  if (!request.complete && hasBody(request)) closeAfterLinger(request, response)
  if (isBodiless(answer, request.method ?? 'GET')) return outbox.end(response)
  const [first] = answer.body
  if (answer.body.length > 1 || first === undefined) return writePieces(answer.body, response)
  // Head and body leave in one string and one write. Latin-1 has a character for every byte, so they stay what they are.
  outbox.end(response, Buffer.from(first.buffer, first.byteOffset, first.byteLength).toString('latin1'))
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

/** RFC 9112, section 6: a request has a body where one of these headers says so. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/**
 * Leaves the rest of an unread body where it is. A socket closed at once would be reset, and the client could lose the
 * answer that says why (RFC 9112, section 9.6), so it is given a moment; Node discards what comes in meanwhile.
 */
function closeAfterLinger(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    const timer = setTimeout(() => request.socket.destroy(), LINGER_MS)
    request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
  })
}

/** What a handler of the user's own gave. A network error (`Response.error()`) is a connection reset. */
async function writeResponse(
  answer: Response,
  { response, closing }: Pick<ServerExchange, 'response' | 'closing'>,
): Promise<void> {
  if (answer.type === 'error') {
    response.socket?.resetAndDestroy()
    return
  }
  response.statusCode = answer.status
  response.statusMessage = answer.statusText
  for (const [name, value] of answer.headers) {
    if (name !== 'set-cookie') response.setHeader(name, value)
  }
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) response.setHeader('set-cookie', cookies)
  if (answer.body === null) {
    response.end()
    return
  }
  const body = Readable.fromWeb(answer.body as never)
  // A stream of events has no end of its own that a closing server could wait for.
  const isEndless = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isEndless) response.flushHeaders()
  await pipeline(body, response, isEndless ? { signal: closing } : {}).catch((error: NodeJS.ErrnoException) => {
    const isClientGone = error.code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (!isClientGone && !(isEndless && closing.aborted)) throw error
  })
}
