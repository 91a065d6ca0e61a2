import { isBelow } from '../http/base-url.ts'
import { CHALLENGE, createErrorResponse } from '../http/error-response.ts'
import { MockError } from '../http/mock-error.ts'
import { type Outcome, withHeaders } from '../http/outcome.ts'
import { NO_PREFERENCES, parsePrefer, toPreferenceApplied } from '../http/prefer.ts'
import { isControlPath } from '../http/router.ts'
import { type Awaitable, isPromise, RequestAborted, type WireRequest, whenReady } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import { hasSpecifiedResponse, LARGEST_UPDATE, runOperation } from '../operations/operations.ts'
import { drawDelay } from '../sandbox/clock.ts'
import { createFaultResponse } from '../sandbox/fault.ts'
import type { FaultMatch, MatchedFault } from '../sandbox/faults.ts'
import { LARGEST_HANDLER_BODY, type Pipeline, RequestContext } from './request-context.ts'

/**
 * The way of a request, in the order of this file: control API, or the sandbox of its key; match of a fault, delay, fault;
 * key check; user's handlers; stub, or else proxy; operation; journal; slow body. Synchronous unless there is a delay, a
 * user's handler or a body that has not arrived yet: that halves the time of short requests and keeps pipelined ones in order.
 * What few requests need is imported on first use, for smaller pages.
 */
export function answerRequest(request: WireRequest, pipeline: Pipeline): Awaitable<Outcome> {
  if (isControlPath(request.path)) return answerControl(request, pipeline)
  const context = new RequestContext(request, pipeline)
  const outcome = tryToAnswer(context)
  if (isPromise(outcome) || context.readForJournal() !== undefined) return recordLater(outcome, context)
  context.record(outcome)
  return sendBody(outcome, context)
}

/** The control API is imported on first use: pages and most test suites use the mock directly and do not need it. */
function answerControl(request: WireRequest, { options, ...pipeline }: Pipeline): Promise<Outcome> {
  const { saveState, baseUrl: bases, delay } = options
  return import('../control/answer-control.ts')
    .then((control) => control.answerControl(request, { ...pipeline, saveState, bases, delay }))
    .catch(toInternalError)
}

function tryToAnswer(context: RequestContext): Awaitable<Outcome> {
  try {
    return delayAndFail(context)
  } catch (error) {
    return toInternalError(error)
  }
}

/** Logs the error; the response does not contain it. A MockError is the user's mistake, and any other error is a bug. */
export function toInternalError(error: unknown): WireResponse {
  if (error instanceof RequestAborted) throw error
  console.error(error instanceof MockError ? error.message : error)
  return createErrorResponse('internal_error', 'The mock failed to answer. Its log shows the error')
}

/** Faults, delay and `Prefer` come before the key check: a real outage also affects requests with an invalid key. */
function delayAndFail(context: RequestContext): Awaitable<Outcome> {
  const { request, sandbox, operation, options } = context
  const preferences = options.prefer ? parsePrefer(request.header('prefer')) : NO_PREFERENCES
  const { fault, headers } = matchFault(context, preferences.code) ?? {}
  const delay = preferences.delay ?? drawDelay(fault?.delay ?? sandbox.delay ?? options.delay, sandbox.random)
  const proceed = (): Awaitable<Outcome> => injectFault(context, fault)
  const outcome = delay > 0 ? wait(delay, context).then(proceed) : proceed()
  // Every response of a deprecated operation has the header (RFC 8594), also those of faults and the user's handlers.
  const sunset = operation?.deprecated === true ? options.sunset?.toUTCString() : undefined
  if (preferences === NO_PREFERENCES && sunset === undefined && headers === undefined) return outcome
  return whenReady(outcome, (each) => {
    const applied = each.type === 'response' && toPreferenceApplied(preferences, each.status)
    return withHeaders(each, { ...(sunset !== undefined && { sunset }), ...headers, ...applied })
  })
}

/** @param code The status that the request prefers. It then triggers no fault, whose ids count from 1. */
function matchFault(context: RequestContext, code = 0): FaultMatch | undefined {
  const { exchange, operation, request, sandbox, options } = context
  if (code >= 300) return { fault: { id: 0, status: code } }
  if (sandbox.faults.isEmpty || !isBelow(options.baseUrl, request.path)) return undefined
  const { petId, resource, time: now } = exchange
  const selected = { operation: operation?.id, method: request.method, resource, path: request.path, petId, now }
  const match = sandbox.faults.take(selected, sandbox.random)
  if (match?.fault !== undefined) context.noteFault(match.fault)
  return match
}

async function wait(delay: number, context: RequestContext): Promise<void> {
  const { clock, request, sandbox } = context
  // Read before the client can leave, for a handler that is added meanwhile, too.
  void context.readForJournal(LARGEST_HANDLER_BODY)
  const hasPassed = await clock.sleep(delay, request.signal(), sandbox.released)
  if (!hasPassed)
    throw new RequestAborted('Failed to respond: the client disconnected during the delay, or its sandbox was reset.')
}

function injectFault(context: RequestContext, fault?: MatchedFault): Awaitable<Outcome> {
  if (fault?.status !== undefined) return createFaultResponse({ ...fault, status: fault.status }, context.options.rules)
  if (fault?.error === undefined) return checkKey(context)
  if (fault.error === 'truncated')
    return Promise.all([checkKey(context), import('./fault-body.ts')]).then(([outcome, { truncate }]) => {
      return truncate(outcome, context.request)
    })
  if (fault.error !== 'timeout') return { type: 'connection-fault', kind: fault.error }
  return { type: 'connection-fault', kind: 'timeout', released: context.sandbox.released }
}

/** The user's handlers and stubs get no request to an operation without a valid key, whatever the order of the errors. */
function checkKey(context: RequestContext): Awaitable<Outcome> {
  const { operation, auth } = context
  const keyError = auth.kind === 'valid' ? undefined : createKeyError(context)
  if (operation !== undefined && keyError !== undefined) return runContract(context, keyError)
  return askUser(context, keyError)
}

/** RFC 6750, section 3.1: `error` is omitted if no token was sent. */
function createKeyError({ auth, options }: RequestContext): WireResponse {
  const { challenge, codes } = options.rules
  return createErrorResponse('unauthorized', 'API key is missing or invalid', {
    sentCode: codes[401],
    ...(challenge === 'send' && {
      headers: { 'www-authenticate': auth.kind === 'invalid' ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE },
    }),
  })
}

/** The user's handlers, then a stub or the proxy. What none of them answers is the contract's. */
function askUser(context: RequestContext, keyError: WireResponse | undefined): Awaitable<Outcome> {
  const { request, exchange, handlers, options, pathBelow } = context
  const stub = options.findStub?.(request.method, pathBelow)
  const runOwn = (): Awaitable<Outcome> => {
    if (stub === undefined) return runContract(context, keyError)
    if (stub.needsKey && keyError !== undefined) return keyError
    exchange.isStubbed = true
    return stub.createResponse()
  }
  // The proxy gets what the specification does not define.
  const hasProxy = options.proxy !== undefined && stub === undefined
  const proxy = hasProxy && !hasSpecifiedResponse(request.method, pathBelow) ? options.proxy : undefined
  if (handlers.length === 0 && proxy === undefined) return runOwn()
  return import('./run-handlers.ts')
    .then(({ runHandlers }) => runHandlers(context, proxy))
    .then((outcome) => outcome ?? runOwn())
}

function runContract(context: RequestContext, keyError: WireResponse | undefined): Awaitable<WireResponse> {
  const { request, operation, petId, sandbox, options } = context
  if (operation === undefined || (!operation.specified && keyError === undefined))
    return import('./refuse-route.ts').then(({ refuseRoute }) => refuseRoute(context))
  context.assertCurrent()
  return (options.runOperation ?? runOperation)({
    operation,
    petId,
    mediaType: request.header('content-type'),
    readBody: () =>
      whenReady(context.readBody(LARGEST_UPDATE), (body) => {
        context.assertCurrent()
        return body
      }),
    state: sandbox.state,
    rules: options.rules,
    keyError,
  })
}

async function recordLater(pending: Awaitable<Outcome>, context: RequestContext): Promise<Outcome> {
  const { journal } = context.sandbox
  // Stays `undefined`, and is recorded so, when the client has left: that error goes to the runtime.
  let outcome: Outcome | undefined
  journal.inFlight += 1
  try {
    outcome = await Promise.resolve(pending).catch((error) => (context.isObsolete ? BROKEN : toInternalError(error)))
  } finally {
    await context.waitForJournal()
    journal.inFlight -= 1
    if (outcome !== undefined && context.isObsolete) outcome = abandon(outcome)
    context.record(outcome)
  }
  return sendBody(outcome, context)
}

/** A stream is copied for the journal, and a fault can slow down any body. */
function sendBody(recorded: Outcome, context: RequestContext): Awaitable<Outcome> {
  const outcome = context.copyBody(recorded)
  if (context.bytesPerSecond === undefined || outcome.type === 'connection-fault') return outcome
  return import('./fault-body.ts').then(({ slowDown }) => slowDown(outcome, context))
}

const BROKEN: Outcome = { type: 'connection-fault', kind: 'network' }

/** A request that has no response when its sandbox is reset fails: it must not reach into the next test. */
function abandon(outcome: Outcome): Outcome {
  if (outcome.type === 'fetch-response') outcome.response.body?.cancel().catch(() => {})
  return BROKEN
}
