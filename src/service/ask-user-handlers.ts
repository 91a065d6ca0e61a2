import type { getResponse, RequestHandler } from 'msw'
import { MockError } from '../http/mock-error.ts'
import type { UserHandler } from '../sandbox/user-handler.ts'

/**
 * Runs the user's msw handlers in order. Returns `undefined` if none responds. A relative path in a handler is resolved
 * against the request's origin. msw is imported on first use, because it is an optional peer dependency.
 * @throws {MockError} `MSW_MISSING`
 */
export async function askUserHandlers(
  handlers: readonly UserHandler[],
  request: Request,
): Promise<Response | undefined> {
  const ask = await loadGetResponse()
  const response = await ask(handlers as readonly unknown[] as RequestHandler[], request, {
    baseUrl: new URL(request.url).origin,
  })
  return response === undefined || isPassthrough(response) ? undefined : response
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
