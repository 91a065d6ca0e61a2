import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Answer, createEmptyAnswer } from '../../contract/answer.ts'

const ONE_DAY_IN_SECONDS = '86400'

/**
 * What a page of another origin needs to read an answer of the service. Every origin may: keys, not cookies, are the
 * credential. Asked for by the `Origin` header (https://fetch.spec.whatwg.org/#http-cors-protocol).
 */
export function allowOrigin(response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-expose-headers', 'Allow, Retry-After, SL-Violations, Sunset, WWW-Authenticate')
}

export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/** Allows what the preflight asks for: a method that a route has not is told so by the route. */
export function answerPreflight({ headers }: IncomingMessage): Answer {
  const empty = createEmptyAnswer()
  return {
    ...empty,
    headers: {
      ...empty.headers,
      'access-control-allow-origin': '*',
      'access-control-allow-methods': String(headers['access-control-request-method']),
      'access-control-allow-headers': headers['access-control-request-headers'] ?? 'Authorization, Content-Type',
      'access-control-max-age': ONE_DAY_IN_SECONDS,
    },
  }
}
