import type { getResponse, RequestHandler } from 'msw'
import { ByteBudget } from '../http/bytes.ts'
import { createErrorResponse } from '../http/error-response.ts'
import { MockError } from '../http/mock-error.ts'
import { type Outcome, toHandlerOutcome } from '../http/outcome.ts'
import { quote } from '../http/quote.ts'
import { BODY_TOO_LARGE, toWireRequest } from '../http/wire-request.ts'
import { TOO_LARGE } from '../operations/run-operation.ts'
import type { UserHandler } from '../sandbox/user-handler.ts'
import type { ProxyTarget } from './proxy-request.ts'
import { isObsolete, type RequestContext } from './request-context.ts'

// Captured at load: an interceptor that is applied later would send a proxied request back to the mock.
const { fetch } = globalThis

/** The largest body that the user's handlers can read, in bytes. */
export const LARGEST_HANDLER_BODY: number = 16 * 1024 ** 2

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
    if (proxy === undefined || isObsolete(context)) return undefined
    // Otherwise every web site could use what stands behind the proxy, in an internal network for example.
    if (context.request.isForeign?.(proxy.origins) === true)
      return createErrorResponse(
        'forbidden',
        'Only pages from loopback may send requests through the proxy. Allow others with --proxy-origin ORIGIN, or proxy.origins in code, and another name of the server with --base-url URL',
      )
    context.exchange.isProxied = true
    const { proxyRequest } = await import('./proxy-request.ts')
    return await proxyRequest(limited.request.clone(), { ...proxy, fetch, signal })
  } catch (error) {
    if (limited.isTooLarge) return createErrorResponse('invalid_request', tooLarge)
    throw error
  }
}

/**
 * Runs the user's msw handlers in order. Returns `undefined` if none responds. A relative path in a handler is resolved
 * against the request's origin. msw is imported on first use, because it is an optional peer dependency.
 * @throws {MockError} `MSW_MISSING`, or `INVALID_OPTION` when a handler returns something else than a Response.
 */
export async function askUserHandlers(
  handlers: readonly UserHandler[],
  request: Request,
): Promise<Response | undefined> {
  const ask = await loadGetResponse()
  const baseUrl = new URL(request.url).origin
  // One at a time, so that an error can name the handler.
  for (const handler of handlers) {
    const response: unknown = await ask([handler as unknown as RequestHandler], request, { baseUrl }).catch((cause) => {
      throw isPrimitiveError(cause) ? toReturnError(handler, { got: 'a primitive value', cause }) : cause
    })
    if (response === undefined) continue
    assertResponse(response, handler)
    return isPassthrough(response) ? undefined : response
  }
  return undefined
}

/** Checks members instead of `instanceof`, because the class may come from another realm or a polyfill. */
function assertResponse(value: unknown, handler: UserHandler): asserts value is Response {
  const { status, clone } = (value ?? {}) as Partial<Response>
  if (typeof status !== 'number' || typeof clone !== 'function') throw toReturnError(handler, { got: quote(value) })
}

/** msw passes the result of a resolver to `Reflect.has`, which throws for a string or a number. */
function isPrimitiveError(cause: unknown): boolean {
  return cause instanceof TypeError && cause.message.includes('Reflect.has')
}

function toReturnError({ info }: UserHandler, { got, cause }: { got: string; cause?: unknown }): MockError {
  return new MockError(
    'INVALID_OPTION',
    `Failed to run the handler ${info.header}: it must return a Response, such as HttpResponse.json({ … }), got ${got}.`,
    { cause },
  )
}

async function loadGetResponse(): Promise<typeof getResponse> {
  try {
    const msw = await import('msw')
    return msw.getResponse
  } catch (cause) {
    throw new MockError(
      'MSW_MISSING',
      'Failed to run the msw handlers: msw cannot be loaded. Install it: npm install --save-dev msw',
      { cause },
    )
  }
}

/**
 * Recognizes the response of msw's `passthrough()`. msw 2 exports no function for this
 * (https://github.com/mswjs/msw/blob/v2.12.0/src/core/passthrough.ts).
 */
function isPassthrough({ status, headers }: Response): boolean {
  return status === 302 && headers.get('x-msw-intention') === 'passthrough'
}

/** A request whose body stream fails when it is too large. */
interface LimitedRequest {
  readonly request: Request
  /** Whether the body was too large. */
  readonly isTooLarge: boolean
  /** Returns the body's bytes to the budget. Call it when the body is no longer read. */
  release(): void
}

/**
 * Limits the memory of request bodies that the user's handlers read. Handlers read a clone, so the bytes that they read
 * are also buffered for the original, which the operation and the journal read later.
 */
export function limitBody(request: Request, budget: ByteBudget): LimitedRequest {
  let taken = 0
  let isTooLarge = false
  const release = (): void => {
    budget.give(taken)
    taken = 0
  }
  // Firefox has no `Request.body` yet: https://bugzilla.mozilla.org/show_bug.cgi?id=1387483
  const { body } = request
  if (!body) return { request, isTooLarge, release }
  const limiter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      isTooLarge = taken + chunk.byteLength > LARGEST_HANDLER_BODY || !budget.take(chunk.byteLength)
      if (isTooLarge) {
        // An `AbortError` is not logged: this is the client's mistake, not a bug.
        controller.error(new DOMException('The body is too large', 'AbortError'))
        return
      }
      taken += chunk.byteLength
      controller.enqueue(chunk)
    },
  })
  // A streaming body needs `duplex` (https://fetch.spec.whatwg.org/#requestinit), which the DOM types lack.
  const init: RequestInit & { duplex: 'half' } = { body: body.pipeThrough(limiter), duplex: 'half' }
  return {
    request: new Request(request, init),
    get isTooLarge() {
      return isTooLarge
    },
    release,
  }
}

/** The memory limit that bodies of control requests and bodies read by the user's handlers share. */
export function createUploads(): ByteBudget {
  return new ByteBudget(256 * 1024 ** 2)
}
