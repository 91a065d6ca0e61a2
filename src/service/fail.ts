import type { Outcome } from '../http/outcome.ts'
import { createFaultResponse } from '../sandbox/fault.ts'
import type { Exchange } from './exchange.ts'

/**
 * A fault's status or broken connection. It comes before the key check, because a real outage also affects requests with an
 * invalid key. What a fault changes of a response comes at the end: `truncated`, a slow body, the headers of a rate limit.
 */
export function fail({ fault, sandbox, mock }: Exchange): Outcome | undefined {
  if (fault?.status !== undefined) return createFaultResponse({ ...fault, status: fault.status }, mock.options.rules)
  if (fault?.error === undefined || fault.error === 'truncated') return undefined
  if (fault.error !== 'timeout') return { type: 'connection-fault', kind: fault.error }
  return { type: 'connection-fault', kind: 'timeout', released: sandbox.released }
}
