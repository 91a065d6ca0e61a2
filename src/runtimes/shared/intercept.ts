import { type HttpRequestEvent, Interceptor, RequestController } from '@mswjs/interceptors'
import { endBrokenXhr } from './end-broken-xhr.ts'
import { explainUnhandled, type UnhandledRequest } from './unhandled-request.ts'

/** What is intercepted, and by whom it is answered. */
export interface InterceptionSettings {
  /** Classes of `@mswjs/interceptors`. All mocks share one of each: a global is replaced once, and given back by the last. */
  readonly classes: readonly unknown[]
  /** Whether a request to this address is for the mock. */
  readonly covers: (url: URL) => boolean
  readonly fetch: (request: Request) => Promise<Response>
  readonly onUnhandledRequest: UnhandledRequest
}

type RequestInterceptor = Interceptor<{ request: HttpRequestEvent }>

/**
 * Answers requests where they are made, without a network between; gives back what ends it. More than one call of that
 * does no harm. There is but one to ask, so none of msw's search for a handler is needed, which would take longer than
 * the answer.
 * @throws {Error} of the interceptors where somebody else has taken the globals; they stay with him.
 */
export function intercept(settings: InterceptionSettings): () => void {
  const interceptors = (settings.classes as (new () => RequestInterceptor)[]).map((each) =>
    Interceptor.singleton(each as never),
  ) as RequestInterceptor[]
  const answer = (event: HttpRequestEvent): Promise<void> => answerEvent(event, settings)
  const stop = (): void => {
    for (const interceptor of interceptors) {
      interceptor.removeListener('request', answer)
      interceptor.dispose(answer)
    }
  }
  try {
    for (const interceptor of interceptors) {
      interceptor.apply(answer)
      interceptor.on('request', answer)
    }
    return stop
  } catch (error) {
    stop()
    throw error
  }
}

/** A request that is left alone here goes to the network, or to the next mock. */
async function answerEvent(
  { request, controller, initiator }: HttpRequestEvent,
  { covers, fetch, onUnhandledRequest }: InterceptionSettings,
): Promise<void> {
  if (takeBypass(request)) return
  if (!covers(new URL(request.url))) {
    const error = explainUnhandled(request, onUnhandledRequest)
    if (error !== undefined && isOpen(controller)) controller.errorWith(error)
    return
  }
  // What rejects a fetch, an abort or a network error, is no fault of the mock.
  const response = await fetch(request).catch(() => Response.error())
  endBrokenXhr(initiator, response)
  // Of one whose client gave up, the interceptor tells the client so itself.
  if (isOpen(controller) && !request.signal.aborted) controller.respondWith(response)
}

/** Not so where another mock has answered. */
function isOpen({ readyState }: RequestController): boolean {
  return readyState === RequestController.PENDING
}

const MARK = 'msw/passthrough'

/**
 * Whether this is a request of msw's `bypass(request)`, which marks it in its Accept header. The mark is taken off: it
 * is not for the network to see (https://mswjs.io/docs/api/bypass).
 */
export function takeBypass({ headers }: Request): boolean {
  const accept = headers.get('accept')
  if (accept === null || !accept.includes(MARK)) return false
  const types = accept.split(/,\s*/).filter((type) => type !== MARK)
  if (types.length === 0) headers.delete('accept')
  else headers.set('accept', types.join(', '))
  return true
}
