import type { WireRequest } from './wire-request.ts'
import { createEmptyResponse, type WireResponse } from './wire-response.ts'

/**
 * What a page of another origin needs to read an answer of the service. Every origin may: keys, not cookies, are the
 * credential (https://fetch.spec.whatwg.org/#http-cors-protocol).
 */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Allow, Retry-After, SL-Violations, Sunset, WWW-Authenticate',
}

const ONE_DAY_IN_SECONDS = '86400'

/** Whether an answer is to carry these headers. */
export function wantsCors(call: Pick<WireRequest, 'header'>): boolean {
  return call.header('origin') !== undefined
}

export function isPreflight(call: Pick<WireRequest, 'method' | 'header'>): boolean {
  return call.method === 'OPTIONS' && wantsCors(call) && call.header('access-control-request-method') !== undefined
}

/** Allows what the preflight asks for: a method that a route has not is told so by the route. */
export function answerPreflight(call: Pick<WireRequest, 'header'>): WireResponse {
  const empty = createEmptyResponse()
  return {
    ...empty,
    headers: {
      ...empty.headers,
      'access-control-allow-origin': '*',
      'access-control-allow-methods': String(call.header('access-control-request-method')),
      'access-control-allow-headers': call.header('access-control-request-headers') ?? 'Authorization, Content-Type',
      'access-control-max-age': ONE_DAY_IN_SECONDS,
    },
  }
}
