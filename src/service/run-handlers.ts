import type { RequestHandler } from 'msw'
import type { Bytes } from '../http/bytes.ts'
import { createErrorResponse } from '../http/error-response.ts'
import { fetch } from '../http/globals.ts'
import { MockError } from '../http/mock-error.ts'
import { type Outcome, toFetchedHeaders, toFetchOutcome } from '../http/outcome.ts'
import { quote } from '../http/quote.ts'
import { BODY_TOO_LARGE } from '../http/wire-request.ts'
import type { UserHandler } from '../sandbox/user-handler.ts'
import type { ProxyTarget } from './mock-options.ts'
import { proxyRequest } from './proxy-request.ts'
import { LARGEST_HANDLER_BODY, type RequestContext } from './request-context.ts'

/** The request of each body, which holds it. */
const HELD = new WeakMap<ReadableStream, Request>()

/** Asks the user's handlers, then the proxy. `undefined` if none of them responds. */
export async function runHandlers(context: RequestContext, proxy?: ProxyTarget): Promise<Outcome | undefined> {
  const { request, handlers } = context
  const signal = request.signal()
  let refusal: Outcome | undefined
  const readBody = async (): Promise<Bytes> => {
    const body = await context.readBody(LARGEST_HANDLER_BODY)
    if (body !== BODY_TOO_LARGE) return body
    const tooLarge = `The body must be at most ${LARGEST_HANDLER_BODY} bytes`
    const reason = context.isOverBudget ? 'The mock holds too many bodies at once' : tooLarge
    refusal = createErrorResponse('invalid_request', reason)
    throw new TypeError('Body refused')
  }
  try {
    const given = await request.toRequest(readBody)
    if (given === undefined) return undefined
    // Node's signal of a request stops following its source when nobody holds the request, and is never freed while its
    // source holds it (https://github.com/nodejs/undici/blob/v7.16.0/lib/web/fetch/request.js).
    const hold = (): unknown => [request, given]
    signal.addEventListener('abort', hold)
    const release = (): void => signal.removeEventListener('abort', hold)
    const response = handlers.length === 0 ? undefined : await askHandlers(handlers, given).finally(release)
    if (response !== undefined) {
      if (response.body) HELD.set(response.body, given)
      return toHandlerOutcome(response)
    }
    if (proxy === undefined || context.isObsolete) return undefined
    // Otherwise every web site could use what stands behind the proxy, in an internal network for example.
    if (request.isForeign?.(proxy.origins) === true)
      return createErrorResponse(
        'forbidden',
        'Only pages from loopback may use the proxy. Allow others with --proxy-origin ORIGIN or proxy.origins, and another name of the server with --base-url URL',
      )
    context.exchange.isProxied = true
    return await proxyRequest(given, { ...proxy, body: await readBody(), fetch, signal })
  } catch (error) {
    if (!refusal) throw error
    return refusal
  }
}

/**
 * Runs the user's msw handlers in order. Returns `undefined` if none responds. A relative path in a handler is resolved
 * against the request's origin. msw is imported on first use, because few mocks have handlers.
 * @throws {MockError} `INVALID_OPTION` when a handler returns anything but a Response that nobody has read.
 */
export async function askHandlers(handlers: readonly UserHandler[], request: Request): Promise<Response | undefined> {
  const { getResponse } = await import('msw')
  const baseUrl = new URL(request.url).origin
  // One at a time, so that an error can name the handler.
  for (const handler of handlers) {
    const response: unknown = await getResponse([handler as unknown as RequestHandler], request, { baseUrl })
    if (response === undefined) continue
    assertResponse(response, handler)
    return isPassthrough(response) ? undefined : response
  }
  return undefined
}

/** Without `instanceof`, because the class may come from another realm or a polyfill. */
function assertResponse(value: unknown, { info }: UserHandler): asserts value is Response {
  const { status, clone, body, bodyUsed } = (value ?? {}) as Partial<Response>
  const isResponse = typeof status === 'number' && typeof clone === 'function'
  if (isResponse && !bodyUsed && !body?.locked) return
  const got = isResponse ? 'one returned or read before' : quote(value)
  throw new MockError(
    'INVALID_OPTION',
    `Failed to run the handler ${info.header}: it must return a Response, such as HttpResponse.json({ … }), got ${got}.`,
  )
}

/** https://github.com/mswjs/msw/blob/v2.12.0/src/core/passthrough.ts. msw 2 exports no function for this. */
function isPassthrough({ status, headers }: Response): boolean {
  return status === 302 && headers.get('x-msw-intention') === 'passthrough'
}

/** The outcome of a user's handler. `Response.error()` resets the connection. Only a response from `fetch` has a URL. */
export function toHandlerOutcome(response: Response): Outcome {
  if (response.type === 'error') return { type: 'connection-fault', kind: 'reset' }
  if (response.url === '') return toFetchOutcome(response)
  const { status, statusText } = response
  return toFetchOutcome(new Response(response.body, { status, statusText, headers: toFetchedHeaders(response) }))
}
