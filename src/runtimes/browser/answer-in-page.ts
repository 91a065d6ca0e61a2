import { FetchInterceptor } from '@mswjs/interceptors/fetch/web'
import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest/web'
import { isBodilessStatus } from '../../http/wire-response.ts'
import { intercept } from '../shared/intercept.ts'
import { createOpenRequests } from './open-requests.ts'
import type { Interception, Place } from './place.ts'
import { createOccupiedError } from './start-errors.ts'

/**
 * Answers `fetch` and XMLHttpRequest inside the page, without a secure context.
 * @throws {MockError} `WORKER_START` if msw already intercepts these in the page.
 */
export function answer(place: Place): Interception {
  const requests = createOpenRequests((request) => place.mock.fetch(request).then(withBody))
  const stopAnswering = intercept({
    classes: [FetchInterceptor, XMLHttpRequestInterceptor],
    covers: (url) => place.mock.covers(url),
    fetch: requests.fetch,
    onUnhandled: (request) => place.mock.onUnhandled(request),
    createStartError: createOccupiedError,
  })
  return { place, requests, stop: () => requests.end().finally(stopAnswering) }
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
