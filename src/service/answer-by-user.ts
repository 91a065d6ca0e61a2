import { createErrorResponse } from '../http/error-response.ts'
import { type Outcome, toHandlerOutcome } from '../http/outcome.ts'
import { BODY_TOO_LARGE, toWireRequest } from '../http/wire-request.ts'
import { TOO_LARGE } from '../operations/run-operation.ts'
import type { UserHandler } from '../sandbox/user-handler.ts'
import { askUserHandlers } from './ask-user-handlers.ts'
import { LARGEST_HANDLER_BODY, limitBody } from './limit-body.ts'
import type { ProxyTarget } from './proxy-request.ts'
import type { RequestContext } from './request-context.ts'

// Captured at load: an interceptor that is applied later would send a proxied request back to the mock.
const { fetch } = globalThis

/** What the user adds to the service. */
interface UserParts {
  readonly handlers: readonly UserHandler[]
  /** `undefined` if the specification shows the response. */
  readonly proxy: ProxyTarget | undefined
}

/** Asks the user's handlers, then the proxy. `undefined` if none of them responds. */
export async function answerByUser(
  context: RequestContext,
  { handlers, proxy }: UserParts,
): Promise<Outcome | undefined> {
  const tooLarge = `The body must be at most ${LARGEST_HANDLER_BODY} bytes`
  // Before the request is made, which asks a client that waits for a 100 to send its body.
  if (Number(context.request.header('content-length')) > LARGEST_HANDLER_BODY)
    return createErrorResponse('invalid_request', tooLarge)
  const read = await context.body
  if (read === BODY_TOO_LARGE) return createErrorResponse('invalid_request', TOO_LARGE)
  const request = context.request.toRequest(read)
  if (request === undefined) return undefined
  const limited = limitBody(request, context.uploads)
  context.release = limited.release
  context.bodySource = toWireRequest(limited.request)
  const signal = context.request.signal()
  // In Node, the signal of a clone stops following that of its request at the next garbage collection, and that of a new
  // request when nobody holds the request (https://github.com/nodejs/undici/blob/v7.16.0/lib/web/fetch/request.js).
  const given = new Request(limited.request.clone(), { signal })
  signal.addEventListener('abort', () => void given, { once: true })
  try {
    const response = handlers.length === 0 ? undefined : await askUserHandlers(handlers, given)
    if (response !== undefined) return toHandlerOutcome(response)
    if (proxy === undefined) return undefined
    if (!isTrusted(context.request.pageOrigin, proxy.origins))
      return createErrorResponse(
        'forbidden',
        'Only pages from loopback may send requests through the proxy. Allow others with --proxy-origin ORIGIN, or proxy.origins in code',
      )
    context.exchange.isProxied = true
    const { proxyRequest } = await import('./proxy-request.ts')
    return await proxyRequest(limited.request.clone(), { ...proxy, fetch, signal })
  } catch (error) {
    if (limited.isTooLarge) return createErrorResponse('invalid_request', tooLarge)
    throw error
  }
}

const LOOPBACK = /^(?:(?:[^.]+\.)*localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Otherwise every web site could use what stands behind the proxy, in an internal network for example. */
function isTrusted(origin: string | undefined, origins: readonly string[]): boolean {
  return origin === undefined || origins.includes(origin) || LOOPBACK.test(URL.parse(origin)?.hostname ?? '')
}
