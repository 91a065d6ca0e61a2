import type { Awaitable } from '../http/awaitable.ts'
import { withoutEndSlashes } from '../http/base-url.ts'
import { type Bytes, NO_BYTES } from '../http/bytes.ts'
import { createErrorResponse } from '../http/error-response.ts'
import { fetch } from '../http/globals.ts'
import { hideInAddress, hideInHeader, toFetchReason } from '../http/hide-credentials.ts'
import {
  type FetchOutcome,
  type Outcome,
  toEndToEndHeaders,
  toFetchedHeaders,
  toFetchOutcome,
} from '../http/outcome.ts'
import { BODY_TOO_LARGE, RequestAborted } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import type { Exchange } from './exchange.ts'
import { refuseBody } from './handlers.ts'
import { BYPASS_MARK, listIntercepted } from './mock.ts'
import type { ProxyTarget } from './mock-options.ts'

/** A target, and how to send requests to it. */
interface ProxyTransport extends ProxyTarget {
  readonly body: Bytes
  readonly fetch: typeof globalThis.fetch
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

const isPage = 'document' in globalThis

/** Sends the request to the target of the option `proxy`. `undefined` for a method that fetch forbids. */
export function askProxy(exchange: Exchange): Awaitable<Outcome | undefined> {
  const { parts, request, body = NO_BYTES } = exchange
  const { proxy } = parts.options
  if (proxy === undefined) return undefined
  // Otherwise every web site could use what stands behind the proxy, in an internal network for example.
  if (request.isForeign?.(proxy.origins) === true)
    return createErrorResponse(
      'forbidden',
      'Only pages from loopback may use the proxy. Allow others with --proxy-origin ORIGIN or proxy.origins, and another name of the server with --base-url URL',
    )
  if (body === BODY_TOO_LARGE) return refuseBody()
  const given = request.toRequest(body)
  return given && proxyRequest(given, { ...proxy, body, fetch, signal: request.signal() })
}

/**
 * Sends a request on, and returns the response. A target that does not respond is a 502.
 * @throws {RequestAborted} when the client disconnects.
 */
export async function proxyRequest(
  request: Request,
  { body, fetch, signal, ...proxy }: ProxyTransport,
): Promise<FetchOutcome | WireResponse> {
  const passed = request.headers.get('via')?.split(',') ?? []
  if (passed.some((name) => name.trim() === proxy.via))
    return createErrorResponse('bad_gateway', 'Proxy loop: the target leads back to this mock')
  try {
    const response = await fetch(toTarget(request.url, proxy), {
      method: request.method,
      headers: toHeaders(request.headers, proxy),
      ...(body.byteLength > 0 && { body }),
      redirect: 'manual',
      signal,
    })
    // Throws for a status that `fetch` lets through: above 599, or 0 for a redirect in a page.
    const { status } = response
    return toFetchOutcome(new Response(response.body, { status, headers: toFetchedHeaders(response) }))
  } catch (cause) {
    if (signal.aborted) throw new RequestAborted('Failed to respond: the client disconnected.', { cause })
    const hint = isPage ? '. In a page, it must allow the origin of the page (CORS)' : ''
    return createErrorResponse('bad_gateway', `${proxy.url.origin} did not respond: ${toFetchReason(cause)}${hint}`)
  }
}

/** Without keys, what the journal hides is not passed on. */
function toTarget(address: string, { url, keys }: ProxyTarget): URL {
  const { pathname, search } = new URL(address)
  const target = new URL(url)
  target.pathname = withoutEndSlashes(url.pathname) + (keys ? pathname : hideInAddress(pathname))
  target.search = keys ? search : withoutSecrets(search)
  return target
}

/** The other parameters stay as they were written. */
function withoutSecrets(query: string): string {
  const shown = new Set(hideInAddress(query).split('&'))
  const parameters = query.split('&').filter((parameter) => shown.has(parameter))
  return parameters.join('&')
}

function toHeaders(given: Headers, { keys, via }: ProxyTarget): Headers {
  const headers = toEndToEndHeaders(given)
  for (const [name, value] of given) if (!keys && hideInHeader(name, value) !== value) headers.delete(name)
  headers.append('via', via)
  if (isPage || listIntercepted().size > 0) headers.append('accept', BYPASS_MARK)
  return headers
}
