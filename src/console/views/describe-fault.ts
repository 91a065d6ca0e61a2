import type { ConnectionFault, Fault } from '../api/model.ts'
import { toMilliseconds } from '../state/to-milliseconds.ts'

const ERRORS: Readonly<Record<ConnectionFault, string>> = {
  network: 'the connection breaks',
  reset: 'the connection is reset',
  timeout: 'no response',
  truncated: 'the response is cut off',
}

/** A fault in words: `updateInventory of pet 7: 503, after 200 ms, 2 times`. */
export function describeFault(fault: Fault): string {
  const { operation, petId, status, error, delay, times, probability, retryAfter } = fault
  const subject = [operation ?? 'Every request', petId === undefined ? '' : ` of pet ${petId}`].join('')
  const effects = [
    status === undefined ? undefined : `${status}`,
    error === undefined ? undefined : ERRORS[error],
    delay === undefined ? undefined : `after ${toMilliseconds(delay)}`,
    retryAfter === undefined ? undefined : `retry after ${retryAfter} s`,
    probability === undefined ? undefined : `for ${Math.round(probability * 1000) / 10} % of requests`,
    times === undefined ? undefined : `${times} ${times === 1 ? 'time' : 'times'}`,
  ]
  return `${subject}: ${effects.filter((effect) => effect !== undefined).join(', ')}`
}
