import { FetchInterceptor } from '@mswjs/interceptors/fetch/web'
import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest/web'
import type { AnsweringService } from '../../msw/service-handlers.ts'
import { intercept } from '../shared/intercept.ts'
import { waitFor } from './wait-for.ts'
import { createWorkerError } from './worker-error.ts'
import type { ParsedWorkerOptions } from './worker-options.ts'

type PageService = Pick<AnsweringService, 'covers' | 'fetch'>

/**
 * Answers `fetch` and XMLHttpRequest in the page itself; gives back what ends it. What is used here needs no secure
 * context.
 * @throws {MockError} `WORKER_START` where msw answers the page in this way already.
 */
export function answerInPage(
  { covers, fetch }: PageService,
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
  const giveBack = start({ covers, fetch: track }, onUnhandledRequest)
  return async () => {
    giveBack()
    // As in the worker: a request whose handler never answers would hold the page up for ever.
    const answered = Promise.allSettled(underWay)
    await waitFor(answered, AbortSignal.timeout(timeout), () => new Error('not answered')).catch(() => {})
  }
}

function start(service: PageService, rule: ParsedWorkerOptions['onUnhandledRequest']): () => void {
  try {
    return intercept({
      classes: [FetchInterceptor, XMLHttpRequestInterceptor],
      ...service,
      onUnhandledRequest: rule,
    })
  } catch (cause) {
    throw createWorkerError(
      "msw answers this page already. Stop it first, or give it the mock's handlers instead: setupWorker(...createHandlers(mock)), from petstore-mock/msw.",
      cause,
    )
  }
}

/**
 * The interceptor shows an XMLHttpRequest no headers of an answer whose body is null, as that to HEAD is: it calls the
 * client back before it has put them in place.
 */
function withBody(answer: Response): Response {
  const { body, type, status, statusText, headers } = answer
  if (body !== null || type === 'error' || NULL_BODY_STATUSES.includes(status)) return answer
  return new Response(new Uint8Array(), { status, statusText, headers })
}

/** https://fetch.spec.whatwg.org/#null-body-status, as far as a `Response` can have one. */
const NULL_BODY_STATUSES: readonly number[] = [204, 205, 304]
