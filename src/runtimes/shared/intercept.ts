// Types alone: the module adds 1 KB to a page, for what the classes of `InterceptionSettings` have already.
import type { HttpRequestEvent, Interceptor } from '@mswjs/interceptors'
import { setImmediate } from '../../http/globals.ts'
import { BYPASS_MARK } from '../../service/mock.ts'
import { createXhrTimeout, endAbortedXhr, endBrokenXhr, PENDING, toXhrTimeout } from './xhr.ts'

interface InterceptionSettings {
  /** Classes of `@mswjs/interceptors`. All mocks share one of each, so that a global is patched once and restored last. */
  readonly classes: readonly unknown[]
  /** Classes that see requests first, to save time. What they leave, `classes` see again. */
  readonly shortcuts?: readonly unknown[]
  readonly covers: (url: URL) => boolean
  readonly fetch: (request: Request) => Promise<Response>
  /** Called for a request that is not for the mock. It goes to the network, unless this returns an error to fail it with. */
  readonly onUnhandled: (request: Request) => Error | undefined
  /** Creates the error of a broken connection; `undefined` for the interceptor's own. */
  readonly createFailure?: (initiator: unknown, error: Error | undefined) => Error | undefined
  /** Creates the error of a start that fails because something else has patched the globals. */
  readonly createStartError: (cause: Error) => Error
}

type RequestInterceptor = Interceptor<{ request: HttpRequestEvent }>

/**
 * Answers requests in the process that makes them, without a network. Returns a function that stops it, which is safe to
 * call more than once. Uses the interceptors without msw, whose search for a handler takes longer than the response.
 * @throws {Error} of `createStartError`. The globals then stay as they were.
 */
export function intercept(settings: InterceptionSettings): () => void {
  const { classes, shortcuts = [] } = settings
  const answer = (event: HttpRequestEvent): Promise<void> => answerEvent(event, settings)
  const answerEarly = async (event: HttpRequestEvent): Promise<void> => {
    if (!isMarked(event.request)) await answer(event)
  }
  const toListener = (each: (typeof classes)[number], listener: typeof answer) => ({
    interceptor: (each as typeof Interceptor).singleton(each as never) as RequestInterceptor,
    listener,
  })
  const listeners = [
    ...shortcuts.map((each) => toListener(each, answerEarly)),
    ...classes.map((each) => toListener(each, answer)),
  ]
  const stop = (): void => {
    for (const { interceptor, listener } of listeners) {
      interceptor.removeListener('request', listener)
      interceptor.dispose(listener)
    }
  }
  try {
    for (const { interceptor, listener } of listeners) {
      interceptor.apply(listener)
      interceptor.on('request', listener)
    }
    return stop
  } catch (cause) {
    stop()
    throw settings.createStartError(cause as Error)
  }
}

/** An unhandled request goes to the next mock, or to the network. */
async function answerEvent(
  event: HttpRequestEvent,
  { covers, fetch, onUnhandled, createFailure }: InterceptionSettings,
): Promise<void> {
  const { request, controller, initiator } = event
  // Another mock has answered, or there is no URL, only the address of a tunnel, whose requests follow.
  if (controller.readyState !== PENDING || request.method === 'CONNECT') return
  if (isMarked(request)) {
    removeMark(request)
    return controller.passthrough()
  }
  if (!covers(new URL(request.url))) {
    const error = onUnhandled(request)
    if (error !== undefined) controller.errorWith(error)
    return
  }
  if (request.headers.get('expect')?.toLowerCase() === '100-continue') sendContinue(initiator as Connection)
  endAbortedXhr(event)
  const timeout = toXhrTimeout(initiator)
  const signal = timeout && AbortSignal.any([request.signal, timeout])
  let error: Error | undefined
  // Aborts and network errors, which reject a fetch, are not errors of the mock.
  const response = await fetch(signal ? new Request(request, { signal }) : request).catch((reason: Error) => {
    error = reason
    return Response.error()
  })
  endBrokenXhr(initiator, response)
  // The interceptor itself reports an abort to the client.
  if (controller.readyState !== PENDING || request.signal.aborted) return
  const broken = response.type === 'error' ? createFailure?.(initiator, error) : undefined
  const failure = timeout?.aborted ? createXhrTimeout(initiator) : broken
  if (failure !== undefined) return void controller.errorWith(failure)
  // As a server does. Without it, agents of node:http reuse the connection, and the interceptor leaves their next request
  // to the network, because its parser accepts no second one: `stopParsingRequests` in
  // https://github.com/mswjs/interceptors/blob/v0.45.12/src/interceptors/http/source.ts
  if (/\bclose\b/i.test(request.headers.get('connection') ?? '')) response.headers.set('connection', 'close')
  controller.respondWith(response)
}

interface Connection {
  readonly socket?: Connection
  /** The ClientRequest that uses it now. The initiator is the first one. */
  readonly _httpMessage?: { emit(event: string): void }
}

/** Makes a ClientRequest send the body that it keeps back. Later, because it is still writing its head. */
function sendContinue(initiator: Connection): void {
  const { socket = initiator } = initiator
  setImmediate(() => socket._httpMessage?.emit('continue'))
}

/** Whether the request is to go to the network: one of msw's `bypass(request)`, or one that the mock's proxy sends. */
function isMarked({ headers }: Request): boolean {
  return headers.get('accept')?.includes(BYPASS_MARK) === true
}

/** The network sees nothing of the mark. */
function removeMark({ headers }: Request): void {
  const types = (headers.get('accept') ?? '').split(/,\s*/).filter((type) => type !== BYPASS_MARK)
  if (types.length === 0) headers.delete('accept')
  else headers.set('accept', types.join(', '))
}
