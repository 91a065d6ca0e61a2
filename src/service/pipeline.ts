import { type Authenticator, DEFAULT_SANDBOX } from '../auth/authenticator.ts'
import type { ControlParts } from '../control/routes/define-control-route.ts'
import type { ByteBudget } from '../http/byte-budget.ts'
import { createErrorResponse } from '../http/error-response.ts'
import { MockError } from '../http/mock-error.ts'
import type { Outcome } from '../http/outcome.ts'
import { isControlPath } from '../http/router.ts'
import { type Awaitable, isPromise, RequestAborted, type WireRequest, whenReady } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import type { ServiceClock } from '../sandbox/clock.ts'
import type { EventFeeds } from '../sandbox/event-feed.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'
import { answerWithFaults } from './answer-with-faults.ts'
import type { ParsedOptions } from './parse-options.ts'
import { awaitBody, createRequestContext, keepBody, type RequestContext, recordOutcome } from './request-context.ts'

/** The parts of a mock that handle every request. */
export interface Pipeline {
  /** Replaced when the stubs are. */
  options: ParsedOptions
  readonly authenticator: Authenticator
  readonly sandboxes: Sandboxes
  readonly clock: ServiceClock
  readonly feeds: EventFeeds
  readonly uploads: ByteBudget
}

/**
 * Handles a request: control API or service, sandbox of the API key, fault and delay, key check, operation, journal.
 * Synchronous unless there is a delay, a user's handler or a body that has not arrived yet.
 */
export function answerRequest(request: WireRequest, pipeline: Pipeline): Awaitable<Outcome> {
  const { options, authenticator, sandboxes, clock, uploads } = pipeline
  if (isControlPath(request.path)) return answerControl(request, pipeline)
  const auth = authenticator.authenticate(request.header('authorization'))
  const sandbox = sandboxes.open(auth.kind === 'missing' ? DEFAULT_SANDBOX : (auth.sandbox ?? DEFAULT_SANDBOX))
  const context = createRequestContext(request, { sandbox, auth, bases: options.baseUrl, uploads, time: clock.now() })
  const start = clock.ticks()
  // Handlers and the proxy get the body as a stream, which can be longer than what the journal keeps.
  const isStreamed = sandbox.handlers.length > 0 || options.handlers.length > 0 || options.proxy !== undefined
  if (!isStreamed) void keepBody(context)
  const outcome = tryToAnswer(context, pipeline)
  if (isPromise(outcome) || isPromise(keepBody(context))) return recordLater(outcome, { context, start, pipeline })
  record(outcome, { context, start, pipeline })
  return outcome
}

/** The control API is imported on first use: pages and most test suites use the mock directly and do not need it. */
async function answerControl(request: WireRequest, { options, ...pipeline }: Pipeline): Promise<Outcome> {
  const { saveState, baseUrl: bases, delay } = options
  const parts: ControlParts = { ...pipeline, saveState, bases, delay }
  const control = await import('../control/answer-control.ts')
  return control.answerControl(request, parts).catch(toInternalError)
}

function tryToAnswer(context: RequestContext, pipeline: Pipeline): Awaitable<Outcome> {
  try {
    return answerWithFaults(context, pipeline)
  } catch (error) {
    return toInternalError(error)
  }
}

interface Recording {
  readonly context: RequestContext
  readonly start: number
  readonly pipeline: Pipeline
}

async function recordLater(pending: Awaitable<Outcome>, recording: Recording): Promise<Outcome> {
  const { context } = recording
  const { journal } = context.sandbox
  let outcome: Outcome | undefined
  journal.inFlight += 1
  try {
    outcome = await (isPromise(pending) ? pending.catch(toInternalError) : pending)
    // Nobody will see what the request has changed in a sandbox that was removed meanwhile.
    if (context.sandbox.isClosed && outcome.type === 'response') outcome = { type: 'connection-fault', kind: 'network' }
    return outcome
  } finally {
    await awaitBody(context)
    journal.inFlight -= 1
    record(outcome, recording)
  }
}

/** @param outcome `undefined` if the client disconnected. */
function record(outcome: Outcome | undefined, { context, start, pipeline: { clock } }: Recording): void {
  const { exchange, sandbox, request } = context
  if (outcome !== undefined) recordOutcome(context, outcome)
  request.onRecorded?.(exchange)
  // The clock goes back when it returns from virtual to real time.
  exchange.duration = Math.max(0, clock.ticks() - start)
  if (!context.isObsolete) sandbox.journal.record(exchange)
  sandbox.account.update()
  if (context.release !== undefined) void whenReady(keepBody(context), context.release)
}

/** Logs the error; the response does not contain it. A MockError is the user's mistake, and any other error is a bug. */
function toInternalError(error: unknown): WireResponse {
  if (error instanceof RequestAborted) throw error
  console.error(error instanceof MockError ? error.message : error)
  return createErrorResponse('internal_error', 'The mock failed to answer. Its log shows the error')
}
