import type { IncomingMessage, ServerResponse } from 'node:http'
import { hideInAddress } from '../../http/hide-credentials.ts'

/** One request, as the log tells it. It holds no header, and so no key. */
export interface RequestLogEntry {
  /** When the request came. */
  readonly time: Date
  readonly method: string
  /** Without the query, and with credentials marked as `(hidden)`. */
  readonly path: string
  /** `undefined` where the connection closed before an answer. */
  readonly status: number | undefined
  /** From the request's headers to the end of the answer, in milliseconds. */
  readonly duration: number
}

/** Tells `log` of the request when its answer has been sent. */
export function logRequest(
  log: (entry: RequestLogEntry) => void,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): void {
  const time = new Date()
  const start = performance.now()
  response.once('close', () => {
    const [path = '/'] = hideInAddress(request.url ?? '/').split('?')
    const status = response.headersSent ? response.statusCode : undefined
    log({ time, method: request.method ?? '', path, status, duration: performance.now() - start })
  })
}
