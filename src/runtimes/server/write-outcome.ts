import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Awaitable } from '../../http/awaitable.ts'
import type { Bytes } from '../../http/bytes.ts'
import { isAnswer, isBroken, type Outcome } from '../../http/outcome.ts'
import { isBodiless, REASON_PHRASES } from '../../http/wire-response.ts'
import { breakConnection } from './break-connection.ts'
import { type ServerExchange, toGoneSignal } from './exchange.ts'
import { leaveBody } from './unread-body.ts'

/** In bytes. What is written in one go is copied in one go, three milliseconds a megabyte, and nobody has his turn. */
const LARGEST_PORTION = 1_048_576

/** Writes what the service answered. */
export function writeOutcome(answer: Outcome, exchange: ServerExchange): Awaitable<void> {
  if (isBroken(answer)) return breakConnection(answer, exchange)
  const { request, response, closing, outbox } = exchange
  leaveBody(exchange)
  if (closing.aborted) response.shouldKeepAlive = false
  if (!isAnswer(answer)) return writeFetchResponse(answer, exchange)
  response.writeHead(answer.status, REASON_PHRASES[answer.status] ?? '', answer.headers)
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

/** What a handler of the user's own gave. A network error (`Response.error()`) is a connection reset. */
async function writeFetchResponse(answer: Response, exchange: ServerExchange): Promise<void> {
  const { request, response, closing } = exchange
  if (answer.type === 'error') {
    request.socket.resetAndDestroy()
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
  const signal = isEndless ? AbortSignal.any([closing, toGoneSignal(exchange)]) : undefined
  await pipeline(body, response, signal === undefined ? {} : { signal }).catch((error: NodeJS.ErrnoException) => {
    const isClientGone = error.code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (!isClientGone && signal?.aborted !== true) throw error
  })
}
