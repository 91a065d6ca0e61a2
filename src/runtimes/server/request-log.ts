import { isJsonObject } from '../../http/exact-json.ts'
import { performance, readSystemTime } from '../../http/globals.ts'
import { hideInAddress } from '../../http/hide-credentials.ts'
import type { Outcome } from '../../http/outcome.ts'
import { escapeControls } from '../../http/quote.ts'
import type { LoggedRequest } from '../../http/wire-request.ts'
import type { ServerRequest } from './server-request.ts'

/** A request in the log. It contains no headers, and therefore no key. */
export interface RequestLogEntry {
  /** When the request arrived. */
  readonly time: Date
  /** The HTTP method, in upper case. */
  readonly method: string
  /** Without the query, and with credentials marked as `(hidden)`. */
  readonly path: string
  /** `undefined` if the connection closed before a response. */
  readonly status: number | undefined
  /** From the request's headers to the end of the response, in milliseconds. */
  readonly duration: number
  /** The sandbox that the key opened; absent for the control API and the console. */
  readonly sandbox?: string | undefined
  /** Why the request was rejected, from the Error object of the response. The message is cut at 200 characters. */
  readonly error?: { readonly code: string; readonly message: string } | undefined
  /**
   * What is wrong with the form of a rejected key: no `Authorization` header, one that is not `Bearer` with a key, or a name
   * after `~` or in `baggage` that cannot be that of a sandbox.
   */
  readonly keyProblem?: LoggedRequest['keyProblem']
  /** The fault that was injected. */
  readonly fault?: LoggedRequest['fault']
  /** What answered instead of an operation. */
  readonly by?: LoggedRequest['by']
}

const decoder = new TextDecoder()

export function logRequest(log: (entry: RequestLogEntry) => void, incoming: ServerRequest): void {
  const { request, response, method } = incoming
  const time = new Date(readSystemTime())
  const start = performance.now()
  response.once('close', () => {
    const [path = '/'] = hideInAddress(request.url ?? '/').split('?')
    const status = response.headersSent ? response.statusCode : undefined
    const { sandbox, fault, by, keyProblem } = incoming.recorded ?? {}
    try {
      log({
        time,
        method,
        path,
        status,
        duration: performance.now() - start,
        sandbox,
        error: findError(incoming.outcome),
        keyProblem: status === 401 ? keyProblem : undefined,
        fault,
        by,
      })
    } catch (error) {
      // Otherwise a mistake in the user's function would end the process.
      console.error('The log of the server failed:', error)
    }
  })
}

/** The code and message of an Error object; `undefined` for every other response. */
function findError(outcome: Outcome | undefined): RequestLogEntry['error'] {
  if (outcome?.type !== 'response' || outcome.status < 400) return undefined
  try {
    const body: unknown = JSON.parse(decoder.decode(outcome.body))
    const { code, message } = isJsonObject(body) ? body : {}
    if (typeof code !== 'string' || typeof message !== 'string') return undefined
    return { code, message: escapeControls(message.slice(0, 200)) }
  } catch {
    return undefined
  }
}
