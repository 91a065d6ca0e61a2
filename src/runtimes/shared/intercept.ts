import { type HttpRequestEvent, Interceptor, RequestController } from '@mswjs/interceptors'
import { endBrokenXhr } from './end-broken-xhr.ts'

/** What to intercept, and who answers it. */
export interface InterceptionSettings {
  /** Classes of `@mswjs/interceptors`. All mocks share one of each, so that a global is patched once and restored last. */
  readonly classes: readonly unknown[]
  /** Whether a request to this URL is for the mock. */
  readonly covers: (url: URL) => boolean
  readonly fetch: (request: Request) => Promise<Response>
  /** Called for a request that is not for the mock. It goes to the network, unless this returns an error to fail it with. */
  readonly onUnhandled: (request: Request) => Error | undefined
  /** Creates the error of a broken connection; `undefined` for the interceptor's own. */
  readonly createFailure?: (initiator: unknown) => Error | undefined
}

type RequestInterceptor = Interceptor<{ request: HttpRequestEvent }>

/**
 * Answers requests in the process that makes them, without a network. Returns a function that stops it, which is safe to
 * call more than once. Uses the interceptors without msw, whose search for a handler takes longer than the response.
 * @throws {Error} from the interceptors if something else has patched the globals, which then stay patched.
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

/** An unhandled request goes to the next mock, or to the network. */
async function answerEvent(
  { request, controller, initiator }: HttpRequestEvent,
  { covers, fetch, onUnhandled, createFailure }: InterceptionSettings,
): Promise<void> {
  if (takeBypass(request)) return
  if (!covers(new URL(request.url))) {
    const error = onUnhandled(request)
    if (error !== undefined && isOpen(controller)) controller.errorWith(error)
    return
  }
  // Aborts and network errors, which reject a fetch, are not errors of the mock.
  const response = await fetch(request).catch(() => Response.error())
  endBrokenXhr(initiator, response)
  // The interceptor itself reports an abort to the client.
  if (!isOpen(controller) || request.signal.aborted) return
  const failure = response.type === 'error' ? createFailure?.(initiator) : undefined
  if (failure === undefined) controller.respondWith(response)
  else controller.errorWith(failure)
}

/** Whether no other mock has answered the request. */
function isOpen({ readyState }: RequestController): boolean {
  return readyState === RequestController.PENDING
}

const MARK = 'msw/passthrough'

/**
 * Whether this is a request of msw's `bypass(request)`, which marks it in the Accept header
 * (https://mswjs.io/docs/api/bypass). Removes the mark, so that it does not reach the network.
 */
function takeBypass({ headers }: Request): boolean {
  const accept = headers.get('accept')
  if (accept === null || !accept.includes(MARK)) return false
  const types = accept.split(/,\s*/).filter((type) => type !== MARK)
  if (types.length === 0) headers.delete('accept')
  else headers.set('accept', types.join(', '))
  return true
}
