// What XMLHttpRequest needs besides a response, where the interceptors do not give it.
import type { HttpRequestEvent, RequestController } from '@mswjs/interceptors'

/** The state of a request that nobody has answered. A value import of the class would add 1 KB to a page. */
export const PENDING: typeof RequestController.PENDING = 0

/**
 * Makes an XMLHttpRequest fail once when its response's body fails. @mswjs/interceptors 0.45.12 reports the error in an
 * endless loop, which freezes the page, and does not set the status to 0 as browsers do. Delete this when that
 * is fixed: `processResponseBodyError` in
 * https://github.com/mswjs/interceptors/blob/v0.45.12/src/interceptors/XMLHttpRequest/xml-http-request-controller.ts
 */
export function endBrokenXhr(initiator: unknown, { body }: Response): void {
  if (body === null || !isXhr(initiator)) return
  const getReader = body.getReader.bind(body)
  const getReaderOfXhr = (): Pick<ReadableStreamDefaultReader, 'read'> => {
    const reader = getReader()
    let isBroken = false
    return {
      async read() {
        // Never settles, which ends the interceptor's loop.
        if (isBroken) return new Promise(() => {})
        try {
          return await reader.read()
        } catch (error) {
          isBroken = true
          Object.assign(initiator, { status: 0, statusText: '' })
          throw error
        }
      },
    }
  }
  Object.defineProperty(body, 'getReader', { value: getReaderOfXhr })
}

function isXhr(initiator: unknown): initiator is XMLHttpRequest {
  return typeof XMLHttpRequest !== 'undefined' && initiator instanceof XMLHttpRequest
}

/**
 * Makes an XMLHttpRequest fail with `abort` when its client aborts it. In Jest, whose errors are not Node's, the interceptor
 * drops the reason and sends the aborted request to the network: `errorWith` in
 * https://github.com/mswjs/interceptors/blob/v0.45.12/src/interceptors/XMLHttpRequest/xml-http-request-proxy.ts
 */
export function endAbortedXhr({ initiator, request, controller }: HttpRequestEvent): void {
  if (!isXhr(initiator)) return
  request.signal.addEventListener('abort', () => {
    if (controller.readyState === PENDING) controller.errorWith(new Error('The request was aborted.'))
  })
}

/**
 * Aborts after the timeout of an XMLHttpRequest, from now on. The interceptors count from the response, so that a request
 * without one never timed out: `respondWith` in the file linked above.
 */
export function toXhrTimeout(initiator: unknown): AbortSignal | undefined {
  return isXhr(initiator) && initiator.timeout > 0 ? AbortSignal.timeout(initiator.timeout) : undefined
}

/** The error that fails an XMLHttpRequest with `timeout`. The interceptors only know `error`. */
export function createXhrTimeout(initiator: unknown): Error {
  const request = initiator as XMLHttpRequest
  const dispatch = request.dispatchEvent.bind(request)
  // Assigned, it would replace that of all event targets: the interceptors set a property where they find it.
  Object.defineProperty(request, 'dispatchEvent', {
    configurable: true,
    value(event: Event) {
      if (event.type !== 'error') return dispatch(event)
      Reflect.deleteProperty(request, 'dispatchEvent')
      return dispatch(new ProgressEvent('timeout'))
    },
  })
  return new Error('The request timed out.')
}
