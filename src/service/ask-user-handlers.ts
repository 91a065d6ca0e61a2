import type { getResponse, RequestHandler } from 'msw'
import { MockError } from '../http/mock-error.ts'
import { quote } from '../http/quote.ts'
import type { UserHandler } from '../sandbox/user-handler.ts'

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
