import type { RequestHandler } from 'msw'
import type { Awaitable } from '../http/awaitable.ts'
import { NO_BYTES } from '../http/bytes.ts'
import { createErrorResponse } from '../http/error-response.ts'
import { MockError } from '../http/mock-error.ts'
import { type Outcome, toFetchedHeaders, toFetchOutcome } from '../http/outcome.ts'
import { quote } from '../http/quote.ts'
import { BODY_TOO_LARGE } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import type { UserHandler } from '../sandbox/user-handler.ts'
import type { Exchange } from './exchange.ts'

/** The largest body for the user's handlers and the proxy, in bytes. */
export const LARGEST_HANDLER_BODY: number = 16 * 1024 ** 2

/** The user's msw handlers, those of the sandbox first. */
export function listHandlers({ sandbox, parts }: Exchange): readonly UserHandler[] {
  return [...sandbox.handlers, ...parts.handlers]
}

/** Asks the user's handlers in order. `undefined` if none responds. */
export function askHandlers(exchange: Exchange): Awaitable<Outcome | undefined> {
  // A body that is too large for an operation gets that operation's own refusal, after its key check.
  if (exchange.body === BODY_TOO_LARGE) return exchange.operation === undefined ? refuseBody() : undefined
  exchange.handled = exchange.request.toRequest(exchange.body ?? NO_BYTES)
  if (exchange.handled === undefined) return undefined
  return findResponse(listHandlers(exchange), exchange.handled).then(
    (response) => response && toHandlerOutcome(response),
  )
}

/** The refusal of a body that is too large for handlers and the proxy. */
export function refuseBody(): WireResponse {
  return createErrorResponse('invalid_request', `The body must be at most ${LARGEST_HANDLER_BODY} bytes`)
}

/**
 * A relative path in a handler is resolved against the request's origin. msw is imported on first use, because few mocks
 * have handlers.
 * @throws {MockError} `INVALID_OPTION` when a handler returns anything but a Response that nobody has read.
 */
export async function findResponse(handlers: readonly UserHandler[], request: Request): Promise<Response | undefined> {
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
  // `Response.error()` has the status 0.
  const canBeSent = isResponse && (status === 0 || (status >= 200 && status <= 599))
  if (canBeSent && !bodyUsed && !body?.locked) return
  const unread = canBeSent ? 'one returned or read before' : `one with the status ${status}`
  const got = isResponse ? unread : quote(value)
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
