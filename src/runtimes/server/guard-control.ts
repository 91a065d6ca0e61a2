import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { createErrorResponse } from '../../http/error-response.ts'
import { isLoopback } from '../../http/is-loopback.ts'
import type { WireResponse } from '../../http/wire-response.ts'

interface ControlGuard {
  /** The names of the server: its configured host, and the hosts of its base URLs. */
  readonly hosts: readonly string[]
  /** `undefined` if no token is required. */
  readonly token: string | undefined
}

/**
 * Keeps pages of other sites out of the control API by checking `Origin`, and `Host` against DNS rebinding. Returns
 * `undefined` to let the request through.
 */
export function guardControl(request: IncomingMessage, { hosts, token }: ControlGuard): WireResponse | undefined {
  const { headers } = request
  const authority = toAuthority(request)
  if (!isOwnHost(authority, hosts))
    return createErrorResponse(
      'forbidden',
      'The Host of a control request must be the address of the server: use its IP address, or start it with --host NAME or --base-url URL',
    )
  if (isCrossOrigin({ ...headers, host: authority }))
    return createErrorResponse('forbidden', 'Control requests from pages of another origin are refused')
  if (token === undefined || headers['x-mock-control-token'] === token) return undefined
  return createErrorResponse('unauthorized', 'The control token is missing or invalid. Send it as X-Mock-Control-Token')
}

/**
 * Whether a page may have sent the request, other than from loopback or one of the origins. An image or a link has no
 * `Origin`; a page that was bound to this address has a strange `Host`.
 */
export function isForeign(
  request: IncomingMessage,
  { hosts, origins }: Pick<ControlGuard, 'hosts'> & { readonly origins: readonly string[] },
): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  // `null`, the origin of a file, has no host.
  const names = origins.flatMap((each) => URL.parse(each)?.hostname ?? [])
  if (!isOwnHost(toAuthority(request), [...hosts, ...names])) return true
  if (origin === undefined) return site === 'cross-site'
  return !origins.includes(origin) && !isLoopback(URL.parse(origin)?.hostname ?? '')
}

/** The host that the client asked for. A target in absolute form overrides the Host header (RFC 9112, section 3.2.2). */
function toAuthority({ url = '/', headers }: IncomingMessage): string | undefined {
  return url.startsWith('/') ? headers.host : URL.parse(url)?.host
}

/** Trusts an IP address, `localhost` and the server's names. Any other name could be an attacker's. */
function isOwnHost(authority: string | undefined, hosts: readonly string[]): boolean {
  const name = URL.parse(`http://${authority}`)?.hostname.replace(/^\[|\]$/g, '')
  if (name === undefined) return false
  return isIP(name) !== 0 || name === 'localhost' || hosts.some((host) => host.toLowerCase() === name)
}

function isCrossOrigin({ origin, host, ...headers }: IncomingMessage['headers']): boolean {
  if (origin !== undefined) return URL.parse(origin)?.host !== host
  return headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate'
}
