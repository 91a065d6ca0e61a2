import type { Bytes } from './bytes.ts'
import { type HeaderFields, isBodiless, toResponse, type WireResponse } from './wire-response.ts'

/** How a connection can fail. */
export const CONNECTION_FAULTS = ['network', 'timeout', 'reset', 'truncated'] as const

/**
 * - `network`: the connection is closed without a response,
 * - `timeout`: no response is sent for as long as the client waits,
 * - `reset`: the connection is reset,
 * - `truncated`: the response ends in the middle of its body.
 *
 * With the first three, the request never reaches the service and changes nothing. With `truncated` the update is
 * applied; only its response is cut. In Node, intercepted clients get the errors of TCP; in a page, `fetch` rejects.
 */
export type ConnectionFaultKind = (typeof CONNECTION_FAULTS)[number]

/** The result of a request. What a kind of connection fault does over TCP, the server decides. */
export type Outcome = WireResponse | FetchOutcome | ConnectionFault

/** A fetch `Response`: from a user's handler, or an event stream. */
export interface FetchOutcome {
  readonly type: 'fetch-response'
  readonly response: Response
}

/** A response that does not reach the client, or not completely. */
export type ConnectionFault = { readonly type: 'connection-fault' } & (
  | {
      readonly kind: 'truncated'
      /** The whole response. */
      readonly response: WireResponse
    }
  | {
      readonly kind: 'timeout'
      /** Aborts when the client should stop waiting, for example after a reset. */
      readonly released: AbortSignal
    }
  | {
      readonly kind: Exclude<ConnectionFaultKind, 'truncated' | 'timeout'>
      /** Why it broke, if that was no fault: an error of the client's own body. */
      readonly cause?: unknown
    }
)

/** A connection that breaks without a response. */
export const BROKEN: ConnectionFault & { readonly kind: 'network' } = { type: 'connection-fault', kind: 'network' }

export function toFetchOutcome(response: Response): FetchOutcome {
  return { type: 'fetch-response', response }
}

export function toWireResponse({ status, headers }: Response, body: Bytes): WireResponse {
  return { type: 'response', status, headers: Object.fromEntries(headers), body }
}

/** Adds headers to a response, also to that of a connection fault that has one, such as a truncated response. */
export function withHeaders(outcome: Outcome, headers: HeaderFields): Outcome {
  if (outcome.type === 'response') return { ...outcome, headers: { ...outcome.headers, ...headers } }
  if (outcome.type === 'fetch-response') {
    const response = new Response(outcome.response.body, outcome.response)
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
    return toFetchOutcome(response)
  }
  if (!('response' in outcome)) return outcome
  return { ...outcome, response: withHeaders(outcome.response, headers) as WireResponse }
}

/** The first half of the body, which is all that a truncated response sends. */
export function toBeginning({ body }: WireResponse): Bytes {
  return body.subarray(0, Math.floor(body.byteLength / 2))
}

/** Headers of one connection (RFC 9110, section 7.6.1), and those that fetch sets itself. */
const HOP_BY_HOP =
  /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*|content-length|host|expect|accept-encoding)$/

/** The headers that are passed on to the next connection. `Connection` names more of its own. */
export function toEndToEndHeaders(given: Headers): Headers {
  const named = (given.get('connection') ?? '').split(',').map((name) => name.trim().toLowerCase())
  return new Headers(Array.from(given).filter(([name]) => !HOP_BY_HOP.test(name) && !named.includes(name)))
}

/** The codings that fetch decodes. It leaves a body with any other coding as it is. */
const DECODED = /^\s*(?:x-gzip|gzip|deflate|br|zstd)\s*$/i

/** The headers of a response from `fetch` that still describe its body. The server sends its own for CORS. */
export function toFetchedHeaders(response: Response): Headers {
  const headers = toEndToEndHeaders(response.headers)
  for (const name of [...headers.keys()]) if (name.startsWith('access-control-')) headers.delete(name)
  const codings = headers.get('content-encoding')?.split(',') ?? []
  if (codings.every((coding) => DECODED.test(coding))) headers.delete('content-encoding')
  return headers
}

/**
 * Turns an outcome into the result of `fetch`.
 * @throws {TypeError} when the connection fails, as fetch does; the signal's reason when the client aborts.
 */
export async function toFetchResult(outcome: Outcome, request: Pick<Request, 'method' | 'signal'>): Promise<Response> {
  const { method, signal } = request
  signal.throwIfAborted()
  if (outcome.type === 'response') return toResponse(outcome, method)
  if (outcome.type === 'fetch-response') return toAbortable(outcome.response, request)
  if (outcome.kind === 'truncated') return toTruncatedResponse(outcome.response, method)
  if (outcome.kind === 'timeout') await waitForAbort(AbortSignal.any([signal, outcome.released]))
  signal.throwIfAborted()
  if (outcome.kind !== 'timeout' && outcome.cause !== undefined)
    throw new TypeError('Failed to fetch', { cause: outcome.cause })
  throw createBroken('Failed to fetch', outcome.kind === 'reset')
}

/** The error of fetch for a broken connection. Retry logic looks at the code of its cause, which is that of undici. */
function createBroken(message: string, isReset = false): TypeError {
  const [reason, code] = isReset ? ['read ECONNRESET', 'ECONNRESET'] : ['other side closed', 'UND_ERR_SOCKET']
  return new TypeError(message, { cause: Object.assign(new Error(reason), { code }) })
}

/**
 * The body fails, and its source is cancelled, when the client aborts. Node forgets the signal of a request that nobody holds,
 * and never frees its listeners: so the stream holds the request, and the listener holds the stream only weakly
 * (https://github.com/nodejs/undici/blob/v7.16.0/lib/web/fetch/request.js).
 */
function toAbortable(response: Response, request: Pick<Request, 'signal'>): Response {
  const body = response.body?.pipeThrough(
    new TransformStream({
      start(stream) {
        const { signal } = request
        const body = new WeakRef(stream)
        signal.addEventListener('abort', () => body.deref()?.error(signal.reason), { once: true })
      },
      flush: () => void request,
    }),
  )
  return new Response(body, response)
}

function toTruncatedResponse(whole: WireResponse, method: string): Response {
  if (isBodiless(whole, method)) return toResponse(whole, method)
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(toBeginning(whole)),
    pull: (stream) => stream.error(createBroken('terminated')),
  })
  return new Response(body, toResponse(whole, 'HEAD'))
}

/** Resolves when the signal aborts. */
export function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

/** Rejects with the reason when the signal aborts first: a client that leaves does not wait for a handler that goes on. */
export async function untilAborted<Value>(result: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => reject(signal.reason)
  signal.addEventListener('abort', giveUp)
  try {
    return await Promise.race([result, aborted])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
