import { FetchInterceptor } from '@mswjs/interceptors/fetch/web'
import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest/web'
import { isBodilessStatus } from '../../http/wire-response.ts'
import { intercept } from '../shared/intercept.ts'
import type { Target } from '../shared/target.ts'
import { createUnhandledRule } from '../shared/unhandled-request.ts'
import { createOpenRequests } from './open-requests.ts'
import { createOccupiedError } from './start-errors.ts'
import type { ParsedWorkerOptions } from './worker-options.ts'

/**
 * Answers `fetch` and XMLHttpRequest inside the page, without a secure context. Returns a function that stops it.
 * @throws {MockError} `WORKER_START` if msw already intercepts these in the page.
 */
export function answer(target: Target, { onUnhandledRequest }: ParsedWorkerOptions): () => Promise<void> {
  const requests = createOpenRequests((request) => target.fetch(request).then(withBody))
  const stopAnswering = intercept({
    classes: [FetchInterceptor, XMLHttpRequestInterceptor],
    covers: target.covers,
    fetch: requests.fetch,
    onUnhandled: createUnhandledRule(onUnhandledRequest, target),
    createStartError: createOccupiedError,
  })
  return () => requests.end().finally(stopAnswering)
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
