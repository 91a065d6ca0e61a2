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
  const { status, statuses, rateLimit, error, delay, times, probability, after, every, retryAfter } = fault
  const effects = [
    status === undefined ? undefined : `${status}`,
    statuses === undefined ? undefined : statuses.join(', then '),
    rateLimit === undefined ? undefined : `${rateLimit.requests} requests in ${toMilliseconds(rateLimit.window)}`,
    error === undefined ? undefined : ERRORS[error],
    delay === undefined ? undefined : `after ${toMilliseconds(delay)}`,
    retryAfter === undefined ? undefined : `retry after ${retryAfter} s`,
    probability === undefined ? undefined : `for ${Math.round(probability * 1000) / 10} % of requests`,
    after === undefined || after === 0 ? undefined : `after ${after} ${after === 1 ? 'request' : 'requests'}`,
    every === undefined || every === 1 ? undefined : `1 request in ${every}`,
    times === undefined ? undefined : `${times} ${times === 1 ? 'time' : 'times'}`,
  ]
  return `${describeRequests(fault)}: ${effects.filter((effect) => effect !== undefined).join(', ')}`
}

function describeRequests({ operation, method, path, petId }: Fault): string {
  const names = [operation, method, path].filter((name) => name !== undefined)
  return `${names.length === 0 ? 'Every request' : names.join(' ')}${petId === undefined ? '' : ` of pet ${petId}`}`
}
