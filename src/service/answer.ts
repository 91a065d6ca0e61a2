import { createErrorResponse } from '../http/error-response.ts'
import { MockError } from '../http/mock-error.ts'
import { BROKEN, type Outcome } from '../http/outcome.ts'
import { isControlPath } from '../http/router.ts'
import { type Awaitable, isPromise, RequestAborted, type WireRequest } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import { askAnswerers } from './answerers.ts'
import { arrive } from './arrive.ts'
import { end } from './end.ts'
import { createObsolete, type Exchange, isObsolete, open, type Parts } from './exchange.ts'
import { fail } from './fail.ts'
import { operate } from './operate.ts'

/** Returns the outcome if the request ends here, and `undefined` if the next step follows. */
export type Step = (exchange: Exchange) => Awaitable<Outcome | undefined>

/**
 * What happens to a request, in this order: its body arrives and its delay passes; a fault fails it; a handler, a stub or the proxy
 * answers; or else its operation does.
 */
const STEPS: readonly Step[] = [arrive, fail, askAnswerers, operate]

/**
 * The way of a request. Synchronous unless a step has to wait: that halves the time of short requests, and gives updates one
 * order without a lock.
 */
export function answer(request: WireRequest, mock: Parts): Awaitable<Outcome> {
  if (isControlPath(request.path)) return answerControl(request, mock)
  const exchange = open(request, mock)
  try {
    const outcome = runFrom(0, exchange)
    if (!isPromise(outcome)) return end(exchange, outcome)
    const ended = outcome.catch((error) => toOutcome(error, exchange)).then((late) => end(exchange, late))
    return endWithReset(exchange, ended)
  } catch (error) {
    return end(exchange, toOutcome(error, exchange))
  }
}

/** Runs the steps until one gives an outcome. Where one waits, the rest follows, unless the sandbox was reset meanwhile. */
function runFrom(index: number, exchange: Exchange): Awaitable<Outcome> {
  const given = STEPS[index]?.(exchange)
  if (!isPromise(given)) return given ?? runFrom(index + 1, exchange)
  return given.then(
    (outcome) => outcome ?? (isObsolete(exchange) ? createObsolete(exchange) : runFrom(index + 1, exchange)),
  )
}

/** A request that waits for anything, such as a handler of the user's own, fails when its sandbox is reset. */
async function endWithReset(exchange: Exchange, ended: Promise<Outcome>): Promise<Outcome> {
  const { journal, released } = exchange.sandbox
  const { promise: reset, resolve } = Promise.withResolvers<Outcome>()
  const breakOff = (): void => resolve(createObsolete(exchange))
  released.addEventListener('abort', breakOff)
  journal.inFlight += 1
  try {
    return await Promise.race([ended, reset])
  } finally {
    journal.inFlight -= 1
    released.removeEventListener('abort', breakOff)
  }
}

/** The control API is imported on first use: pages and most test suites do without it, which saves them 10 KB. */
function answerControl(request: WireRequest, mock: Parts): Promise<Outcome> {
  const { saveState, baseUrl, delay } = mock.options
  return import('../control/answer-control.ts')
    .then((control) => control.answerControl(request, { ...mock, saveState, bases: baseUrl, delay }))
    .catch((error) => (error instanceof RequestAborted ? BROKEN : toInternalError(error)))
}

/** A client that has left, or a sandbox that was reset, leaves a broken connection. */
function toOutcome(error: unknown, exchange: Exchange): Outcome {
  if (error instanceof RequestAborted) return error.cause === undefined ? BROKEN : { ...BROKEN, cause: error.cause }
  if (isObsolete(exchange)) return createObsolete(exchange)
  return toInternalError(error)
}

/** Logs the error; the response does not contain it. A MockError is the user's mistake, and any other error is a bug. */
export function toInternalError(error: unknown): WireResponse {
  console.error(error instanceof MockError ? error.message : error)
  return createErrorResponse('internal_error', 'The mock failed to answer. Its log shows the error')
}
