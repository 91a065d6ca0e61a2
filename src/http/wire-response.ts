import { type Bytes, countBytes, joinBytes } from './bytes.ts'

const encoder = new TextEncoder()

/** What the service says to one call. A runtime writes it out as it is; it is the same in every runtime. */
export interface WireResponse {
  readonly status: number
  /** Names in lower case. `content-length` is always there, and counts the body also where `HEAD` leaves it out. */
  readonly headers: Readonly<Record<string, string>>
  /** In pieces, so that a long list need not be put together anew when a part of it changes. */
  readonly body: readonly Bytes[]
}

/** The reason phrases of RFC 9110, section 15, and RFC 6585 for the statuses that the double sends. */
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

/** An answer whose body is `json`, already written. */
export function createJsonResponse(
  status: number,
  json: string | readonly Bytes[],
  headers: Readonly<Record<string, string>> = {},
): WireResponse {
  return createResponse(status, json, { 'content-type': 'application/json', ...headers })
}

/** An answer of any content type; `headers` should name it. */
export function createResponse(
  status: number,
  content: string | readonly Bytes[],
  headers: Readonly<Record<string, string>>,
): WireResponse {
  const body = typeof content === 'string' ? [encoder.encode(content)] : content
  return {
    status,
    headers: { ...headers, 'content-length': String(countBytes(body)), 'cache-control': 'no-store' },
    body,
  }
}

/** An answer without content (204). */
export function createEmptyResponse(): WireResponse {
  return { status: 204, headers: { 'cache-control': 'no-store' }, body: [] }
}

/** Whether an answer goes out without its body: to `HEAD` (RFC 9110, section 9.3.2), and by its status (15.3.5, 15.3.6, 15.4.5). */
export function isBodiless({ status }: Pick<WireResponse, 'status'>, method: string): boolean {
  return method === 'HEAD' || status === 204 || status === 205 || status === 304
}

/** The answer as fetch's `Response`. */
export function toResponse(answer: WireResponse, method: string): Response {
  return new Response(isBodiless(answer, method) ? null : joinBytes(answer.body), {
    status: answer.status,
    statusText: REASON_PHRASES[answer.status] ?? '',
    headers: answer.headers,
  })
}
