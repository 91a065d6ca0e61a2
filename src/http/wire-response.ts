import type { Bytes } from './bytes.ts'

const encoder = new TextEncoder()

/** The headers of a response. Names are in lower case. */
export type HeaderFields = Readonly<Record<string, string>>

type Content = string | Bytes

/** A response of the service. Every runtime sends it unchanged, so its bytes are the same everywhere. */
export interface WireResponse {
  readonly type: 'response'
  readonly status: number
  /** `content-length` is that of `body`, even for `HEAD`, which omits it. A 204 or 304 has none (RFC 9110, section 8.6). */
  readonly headers: HeaderFields
  readonly body: Bytes
}

/** The reason phrases of RFC 9110, section 15, and RFC 6585 for the statuses that the mock sends. */
export const REASON_PHRASES: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  302: 'Found',
  304: 'Not Modified',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** A JSON response. `json` is already serialized. */
export function createJsonResponse(status: number, json: Content, headers: HeaderFields = {}): WireResponse {
  return createResponse(status, json, { 'content-type': 'application/json', ...headers })
}

/** A response of any content type, with its length, and not to be cached. Set `content-type` in `headers`. */
export function createResponse(status: number, content: Content, headers: HeaderFields): WireResponse {
  const body = typeof content === 'string' ? encoder.encode(content) : content
  const length = status === 204 || status === 304 ? {} : { 'content-length': String(body.byteLength) }
  return { type: 'response', status, headers: { ...headers, ...length, 'cache-control': 'no-store' }, body }
}

/** Whether the body is omitted: for `HEAD` (RFC 9110, section 9.3.2) and by status. */
export function isBodiless({ status }: Pick<WireResponse, 'status'>, method: string): boolean {
  return method === 'HEAD' || isBodilessStatus(status)
}

/** Whether responses with this status have no body (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
export function isBodilessStatus(status: number): boolean {
  return status === 204 || status === 205 || status === 304
}

/** Converts to a fetch `Response`. */
export function toResponse(response: WireResponse, method: string): Response {
  const { status, headers, body } = response
  const statusText = REASON_PHRASES[status] ?? ''
  return new Response(isBodiless(response, method) ? null : body, { status, statusText, headers })
}
