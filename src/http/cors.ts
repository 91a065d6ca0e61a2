import type { WireRequest } from './wire-request.ts'
import { createResponse, type WireResponse } from './wire-response.ts'

/**
 * Lets a page of any origin read responses of the service (https://fetch.spec.whatwg.org/#http-cors-protocol). This is
 * safe because the service authenticates by API key, not by cookie.
 */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  // Also those of stubs, handlers and proxied responses.
  'access-control-expose-headers': '*',
}

const ONE_DAY_IN_SECONDS = '86400'

/** Whether the response needs `CORS_HEADERS`. */
export function wantsCors(request: Pick<WireRequest, 'header'>): boolean {
  return request.header('origin') !== undefined
}

export function isPreflight(request: Pick<WireRequest, 'method' | 'header'>): boolean {
  const { method } = request
  return method === 'OPTIONS' && wantsCors(request) && request.header('access-control-request-method') !== undefined
}

/** Allows every requested method and header. A method that the path does not support gets its 405 afterwards. */
export function answerPreflight(request: Pick<WireRequest, 'header'>): WireResponse {
  return createResponse(204, '', {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': String(request.header('access-control-request-method')),
    'access-control-allow-headers': request.header('access-control-request-headers') ?? 'Authorization, Content-Type',
    'access-control-max-age': ONE_DAY_IN_SECONDS,
  })
}
