/**
 * Makes an XMLHttpRequest fail once when its response's body fails. @mswjs/interceptors 0.45.12 reports the error in an
 * endless loop, which freezes the page, and does not set the status to 0 as browsers do. Delete this file when that is
 * fixed: `processResponseBodyError` in
 * https://github.com/mswjs/interceptors/blob/v0.45.12/src/interceptors/XMLHttpRequest/xml-http-request-controller.ts
 */
export function endBrokenXhr(initiator: unknown, { body }: Response): void {
  if (body === null || typeof XMLHttpRequest === 'undefined' || !(initiator instanceof XMLHttpRequest)) return
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
