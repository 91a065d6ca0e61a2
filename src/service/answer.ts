import { type Awaitable, isPromise } from '../http/awaitable.ts'
import { isControlPath } from '../http/control-path.ts'
import { toInternalError } from '../http/error-response.ts'
import { BROKEN, type Outcome } from '../http/outcome.ts'
import { RequestAborted, type WireRequest } from '../http/wire-request.ts'
import { runOperation } from '../operations/operations.ts'
import { ASK_ANSWERERS } from './answerers.ts'
import { arrive } from './arrive.ts'
import { createObsolete, end } from './end.ts'
import { type Exchange, isObsolete, open, type Parts, type Step } from './exchange.ts'
import { fail, matchFault } from './fault-effects.ts'
import { explainHandler, refuseRoute } from './refuse-route.ts'

/**
 * What happens to a request, in this order: it triggers a fault; its body arrives and its delay passes; the fault fails it; a
 * handler, a stub or the proxy answers; or else its operation does.
 */
const STEPS: readonly Step[] = [matchFault, arrive, fail, ...ASK_ANSWERERS, operate]

/**
 * The way of a request. Synchronous unless a step has to wait: that halves the time of short requests, and gives updates one
 * order without a lock.
 */
export function answer(request: WireRequest, parts: Parts): Awaitable<Outcome> {
  if (isControlPath(request.path)) return answerControl(request, parts)
  const exchange = open(request, parts)
  const outcome = run(exchange)
  return isPromise(outcome) ? endLate(exchange, outcome) : end(exchange, outcome)
}

function run(exchange: Exchange): Awaitable<Outcome> {
  try {
    return runFrom(0, exchange)
  } catch (error) {
    return toOutcome(error, exchange)
  }
}

/**
 * Runs the steps until one gives an outcome. Where one waits, the rest follows, unless the sandbox was reset meanwhile: then
 * `end` gives the broken connection its reason.
 */
function runFrom(index: number, exchange: Exchange): Awaitable<Outcome> {
  const given = STEPS[index]?.(exchange)
  if (!isPromise(given)) return given ?? runFrom(index + 1, exchange)
  return given.then((outcome) => outcome ?? (isObsolete(exchange) ? BROKEN : runFrom(index + 1, exchange)))
}

/** The operation of the route, or the refusal of a request that has none. */
function operate(exchange: Exchange): Awaitable<Outcome> {
  const { parts, operation, petId, body, auth, sandbox, request } = exchange
  if (operation === undefined) return refuseRoute(exchange)
  const execute = parts.mutant ?? runOperation
  return execute({
    operation,
    petId,
    mediaType: request.header('content-type'),
    body,
    auth,
    state: sandbox.state,
    rules: parts.options.rules,
    hint: operation.specified ? undefined : explainHandler(exchange),
  })
}

/** A request that waits for anything, such as a handler of the user's own, fails as soon as its sandbox is reset. */
async function endLate(exchange: Exchange, outcome: Promise<Outcome>): Promise<Outcome> {
  const { journal, released } = exchange.sandbox
  const ended = outcome.catch((error) => toOutcome(error, exchange)).then((late) => end(exchange, late))
  const { promise: reset, resolve } = Promise.withResolvers<Outcome>()
  const breakOff = (): void => resolve(createObsolete(exchange))
  released.addEventListener('abort', breakOff)
  journal.inFlight += 1
  try {
    // If the reset comes first, `end` later sees that the exchange is obsolete, and records nothing.
    return await Promise.race([ended, reset])
  } finally {
    journal.inFlight -= 1
    released.removeEventListener('abort', breakOff)
  }
}

/** The control API is imported on first use: pages and most test suites do without it, which saves them 10 KB. */
function answerControl(request: WireRequest, parts: Parts): Promise<Outcome> {
  const { saveState, baseUrl, delay } = parts.options
  return import('../control/answer-control.ts')
    .then((control) => control.answerControl(request, { ...parts, saveState, bases: baseUrl, delay }))
    .catch((error) => (error instanceof RequestAborted ? BROKEN : toInternalError(error)))
}

/** A client that has left, or a sandbox that was reset, leaves a broken connection. */
function toOutcome(error: unknown, exchange: Exchange): Outcome {
  if (error instanceof RequestAborted) return error.cause === undefined ? BROKEN : { ...BROKEN, cause: error.cause }
  // What a handler throws because its client left, or because of a reset, is nobody's mistake.
  return isObsolete(exchange) || exchange.request.signal().aborted ? BROKEN : toInternalError(error)
}
