import { FetchInterceptor } from '@mswjs/interceptors/fetch/web'
import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest/web'
import { isBodilessStatus } from '../../http/wire-response.ts'
import { intercept } from '../shared/intercept.ts'
import { createUnhandledRule } from '../shared/unhandled-request.ts'
import { type AnsweringService, createOpenRequests } from './open-requests.ts'
import { createOccupiedError } from './start-errors.ts'
import type { ParsedWorkerOptions } from './worker-options.ts'

/**
 * Answers `fetch` and XMLHttpRequest inside the page, without a secure context. Returns a function that stops it.
 * @throws {MockError} `WORKER_START` if msw already intercepts these in the page.
 */
export function answerInPage(
  { bases, covers, fetch }: AnsweringService,
  { onUnhandledRequest }: ParsedWorkerOptions,
): () => Promise<void> {
  const requests = createOpenRequests((request) => fetch(request).then(withBody))
  try {
    const stopAnswering = intercept({
      classes: [FetchInterceptor, XMLHttpRequestInterceptor],
      covers,
      fetch: requests.fetch,
      onUnhandled: createUnhandledRule(onUnhandledRequest, bases),
    })
    return () => requests.end().finally(stopAnswering)
  } catch (cause) {
    throw createOccupiedError(cause)
  }
}

/**
 * For a response without a body, such as one to HEAD, the interceptor fires the events of an XMLHttpRequest before it
 * sets the headers. An empty body avoids that.
 */
function withBody(answer: Response): Response {
  const { body, type, status, statusText, headers } = answer
  if (body !== null || type === 'error' || isBodilessStatus(status)) return answer
  return new Response(new Uint8Array(), { status, statusText, headers })
}
