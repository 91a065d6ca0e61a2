import type { Bytes } from './bytes.ts'
import type { HeaderFields, WireResponse } from './wire-response.ts'

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
