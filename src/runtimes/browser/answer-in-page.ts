import { FetchInterceptor } from '@mswjs/interceptors/fetch/web'
import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest/web'
import { isBodilessStatus } from '../../http/wire-response.ts'
import type { AnsweringService } from '../../msw/service-handlers.ts'
import { intercept } from '../shared/intercept.ts'
import { createUnhandledRule } from '../shared/unhandled-request.ts'
import { waitFor } from './wait-for.ts'
import { createWorkerError } from './worker-error.ts'
import type { ParsedWorkerOptions } from './worker-options.ts'

type PageService = Pick<AnsweringService, 'bases' | 'covers' | 'fetch'>

/**
 * Answers `fetch` and XMLHttpRequest inside the page, without a secure context. Returns a function that stops it.
 * @throws {MockError} `WORKER_START` if msw already intercepts these in the page.
 */
export function answerInPage(
  { bases, covers, fetch }: PageService,
  { onUnhandledRequest, timeout }: ParsedWorkerOptions,
): () => Promise<void> {
  const underWay = new Set<Promise<Response>>()
  const track = (request: Request): Promise<Response> => {
    const answer = fetch(request).then(withBody)
    underWay.add(answer)
    const forget = (): void => void underWay.delete(answer)
    answer.then(forget, forget)
    return answer
  }
  const stopAnswering = start({ bases, covers, fetch: track }, onUnhandledRequest)
  return async () => {
    stopAnswering()
    // As in the worker: a handler that never responds must not block the page for ever.
    const answered = Promise.allSettled(underWay)
    await waitFor(answered, AbortSignal.timeout(timeout), () => new Error('not answered')).catch(() => {})
  }
}

function start({ bases, ...service }: PageService, rule: ParsedWorkerOptions['onUnhandledRequest']): () => void {
  try {
    return intercept({
      classes: [FetchInterceptor, XMLHttpRequestInterceptor],
      ...service,
      onUnhandled: createUnhandledRule(rule, bases),
    })
  } catch (cause) {
    throw createWorkerError(
      "msw answers this page already. Stop it first, or give it the mock's handlers instead: setupWorker(...createHandlers(mock)), from petstore-mock/msw.",
      cause,
    )
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
