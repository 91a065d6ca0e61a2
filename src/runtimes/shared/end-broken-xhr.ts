/**
 * Lets an XMLHttpRequest fail once where its response's body breaks off. @mswjs/interceptors 0.45.12 does not leave its
 * loop after an error and reports the error for ever, which freezes the page; it also leaves the status in place, which
 * browsers set to 0. Delete this file when the cause is mended: `processResponseBodyError` in
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
        // It is asked again without end, and gets no answer.
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
