import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Awaitable } from '../../http/awaitable.ts'
import { clearTimeout, setImmediate, setTimeout } from '../../http/globals.ts'
import { type ConnectionFault, type Outcome, toBeginning } from '../../http/outcome.ts'
import { isBodiless, REASON_PHRASES, type WireResponse } from '../../http/wire-response.ts'
import { closeAfterLinger, toTcpSocket } from './connections.ts'
import type { ServerRequest } from './server-request.ts'

/** Chunk size in bytes. A larger write blocks the event loop for about 3 ms per MB. */
const LARGEST_PORTION = 1_048_576

/** An unneeded body is read to its end if it declares at most this many bytes. */
const LARGEST_DRAINED = 65_536

/** How long bytes may take to a browser before a reset, which discards what it has not read on some systems. In milliseconds. */
const ARRIVAL_MS = 50

export function writeOutcome(outcome: Outcome, incoming: ServerRequest): Awaitable<void> {
  if (outcome.type === 'connection-fault') return breakConnection(outcome, incoming)
  prepareConnection(incoming)
  return outcome.type === 'response' ? writeResponse(outcome, incoming) : writeFetchResponse(outcome.response, incoming)
}

/** Adds `Connection: close` if a body stays unread or the server is closing. */
function prepareConnection(incoming: ServerRequest): void {
  const { request, response, server } = incoming
  if (server.closing.aborted) response.shouldKeepAlive = false
  if (incoming.isBodyRead || request.complete || !incoming.hasBody) return
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  // The rest of a body that is too large, or of unknown length, stays unread. The next bytes are then no request.
  if (coding !== undefined || Number(length) > LARGEST_DRAINED) response.shouldKeepAlive = false
  // Node calls it after the last response of the connection, which may be a later one.
  request.socket.destroySoon = () => closeAfterLinger(request.socket)
}

function writeResponse(whole: WireResponse, { method, response, server }: ServerRequest): Awaitable<void> {
  const { status, headers, body } = whole
  response.writeHead(status, REASON_PHRASES[status] ?? '', headers)
  if (isBodiless(whole, method)) return server.batch.add(() => response.end())
  if (body.byteLength > LARGEST_PORTION) return writePortions(body, response)
  // Head and body are one Latin-1 string, so that they leave in one write. Latin-1 maps each byte to one character.
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  server.batch.add(() => response.end(text, 'latin1'))
}

async function writePortions(body: Uint8Array, response: ServerResponse): Promise<void> {
  for (let start = 0; start < body.byteLength; start += LARGEST_PORTION) {
    response.write(body.subarray(start, start + LARGEST_PORTION))
    // If the client leaves meanwhile, nothing holds this promise any more, and it is collected with the response.
    if (response.writableNeedDrain) await new Promise((resolve) => response.once('drain', resolve))
    if (response.destroyed) return
  }
  response.end()
}

/** A response from a user handler, or an event stream. */
async function writeFetchResponse(answer: Response, incoming: ServerRequest): Promise<void> {
  const { response, server } = incoming
  // The client disconnected while the handler was working. A stream without a reader must end.
  if (response.destroyed) return answer.body?.cancel()
  const headers: OutgoingHttpHeaders = Object.fromEntries(answer.headers)
  headers['set-cookie'] = answer.headers.getSetCookie()
  // Node frames the body itself.
  delete headers['transfer-encoding']
  // A copy of a fetched response may have the length and coding of the body before it was decoded.
  if (answer.headers.has('content-encoding')) delete headers['content-length']
  // Bytes beyond the length would become the next response on the connection.
  response.strictContentLength = true
  response.writeHead(answer.status, answer.statusText || undefined, headers)
  if (answer.body === null || incoming.method === 'HEAD') {
    response.end()
    return answer.body?.cancel()
  }
  // An event stream never ends, so neither a closing server nor a half-closed client waits for it.
  const isEndless = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isEndless) response.flushHeaders()
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const signal = isEndless ? AbortSignal.any([server.closing, incoming.signal()]) : gone.signal
  // Node alone would not cancel a stream that waits.
  const body = answer.body.pipeThrough(new TransformStream(), { signal })
  await pipeline(body as never, response, { signal }).catch((error) => {
    // The end of a half-closed client ends the fetch of a proxied response.
    if (!signal.aborted && !incoming.signal().aborted) throw error
  })
}

/** Applies a connection fault. A `timeout` fault holds the connection until the server closes. */
function breakConnection(fault: ConnectionFault, incoming: ServerRequest): void {
  const { request, response, server } = incoming
  const { socket } = request
  switch (fault.kind) {
    case 'network':
    case 'reset':
      breakOff(incoming, fault.kind)
      return
    case 'timeout': {
      const ends = AbortSignal.any([fault.released, server.closing, incoming.signal()])
      if (ends.aborted) breakOff(incoming, 'network')
      ends.addEventListener('abort', () => breakOff(incoming, 'network'), { once: true })
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
      fault satisfies never
  }
}

/**
 * Breaks a connection without a response. A browser would send the request again, even an update, so it gets the beginning of
 * one: Chromium needs an interim response, WebKitGTK a line of a final one, Firefox a byte. A reset follows, because Chromium
 * takes an orderly end for an empty response (`ShouldResendRequest` in
 * https://source.chromium.org/chromium/chromium/src/+/main:net/http/http_network_transaction.cc).
 */
function breakOff({ request, response }: ServerRequest, kind: 'network' | 'reset'): void {
  const { socket, headers } = request
  const reset = (): void => void toTcpSocket(socket).resetAndDestroy()
  if (headers['user-agent']?.startsWith('Mozilla/') !== true)
    return void (kind === 'reset' ? reset() : socket.destroy())
  socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 500 Internal Server Error\r\n')
  const timer = setTimeout(reset, ARRIVAL_MS)
  response.once('close', () => clearTimeout(timer))
}

/**
 * Ends responses once the event loop has read all incoming bytes: a client that has left in the middle of its next request is
 * known by then, and the responses of one turn leave together. The first write after an idle moment pays for waking the
 * client, which costs more than the rest of a request; the writes right after it do not. With 32 connections this halves the
 * time per response, and a single client does not wait longer.
 */
export class ResponseBatch {
  readonly #waiting: (() => void)[] = []

  add(end: () => void): void {
    // One immediate for all: after each, Node would run the ticks of that response alone.
    if (this.#waiting.push(end) > 1) return
    setImmediate(() => {
      for (const each of this.#waiting.splice(0)) each()
    })
  }
}
