import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { createErrorResponse } from '../../http/error-response.ts'
import type { WireResponse } from '../../http/wire-response.ts'

/** Who may use the control API. */
export interface ControlGuard {
  /** The address the server listens on, as it was given. */
  readonly host: string
  /** `undefined`: no token is asked for. */
  readonly token: string | undefined
}

export const TOKEN_HEADER = 'x-mock-control-token'

/**
 * Keeps pages of other sites from the control API: by their `Origin`, and by the name they call the server where they
 * had their own name point here (DNS rebinding). `undefined` lets the request through.
 */
export function guardControl(request: IncomingMessage, { host, token }: ControlGuard): WireResponse | undefined {
  const { headers } = request
  const authority = toAuthority(request)
  if (!isOwnHost(authority, host)) {
    return createErrorResponse('forbidden', 'The Host of a control request must be the address of the server')
  }
  if (isForeign({ ...headers, host: authority })) {
    return createErrorResponse('forbidden', 'Control requests from pages of another origin are refused')
  }
  if (token === undefined || headers[TOKEN_HEADER] === token) return undefined
  return createErrorResponse('unauthorized', 'The control token is missing or invalid. Send it as X-Mock-Control-Token')
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** What the client calls the server. A target in absolute form overrules the Host header (RFC 9112, section 3.2.2). */
function toAuthority({ url = '/', headers }: IncomingMessage): string | undefined {
  return url.startsWith('/') ? headers.host : URL.parse(url)?.host
}

/** An address, `localhost`, or the name that the server was told to listen on: names of others' making are not. */
function isOwnHost(authority: string | undefined, host: string): boolean {
  const name = URL.parse(`http://${authority}`)?.hostname.replace(/^\[|\]$/g, '')
  return name !== undefined && (isIP(name) !== 0 || name === 'localhost' || name === host.toLowerCase())
}

function isForeign({ origin, host, ...headers }: IncomingMessage['headers']): boolean {
  if (origin !== undefined) return URL.parse(origin)?.host !== host
  return headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate'
}
