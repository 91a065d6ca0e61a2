import type { RequestHandler } from 'msw'

/**
 * Asks msw handlers of the user's own, first to last; `undefined` where none has an answer. A relative path in a
 * handler counts from the request's origin. msw is loaded on first use: who brings no handlers does not pay for it.
 */
export async function answerFromHandlers(
  handlers: readonly RequestHandler[],
  request: Request,
): Promise<Response | undefined> {
  const { getResponse, isPassthroughResponse } = await import('msw')
  const response = await getResponse([...handlers], request, { baseUrl: new URL(request.url).origin })
  return response === undefined || isPassthroughResponse(response) ? undefined : response
}
