import { isBelow } from '../http/base-url.ts'
import { readBeginning } from '../http/bytes.ts'
import { CHALLENGE, createErrorResponse } from '../http/error-response.ts'
import { MockError } from '../http/mock-error.ts'
import { type Outcome, withHeaders } from '../http/outcome.ts'
import { NO_PREFERENCES, type Preferences, parsePrefer, toPreferenceApplied } from '../http/prefer.ts'
import { isControlPath, refuseMethod } from '../http/router.ts'
import { type Awaitable, isPromise, RequestAborted, type WireRequest, whenReady } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import { createUnspecifiedResponse, hasSpecifiedResponse } from '../operations/operations.ts'
import { runOperation } from '../operations/run-operation.ts'
import { drawDelay } from '../sandbox/delay.ts'
import { createFaultResponse } from '../sandbox/fault.ts'
import type { FaultMatch, MatchedFault } from '../sandbox/faults.ts'
import { explainHandler, explainMissingRoute, suggestPath } from './explain-missing-route.ts'
import { type Pipeline, RequestContext } from './request-context.ts'
import { runHandlers } from './run-handlers.ts'
import { slowDown } from './slow-body.ts'
import { addStubMethods } from './stubs.ts'

/**
 * The way of a request, in the order of this file: control API, or the sandbox of its key; fault and delay; key check;
 * user's handlers; stub, or else proxy; operation; journal; slow body. Synchronous unless there is a delay, a user's handler or a body that
 * has not arrived yet: that halves the time of short requests and keeps pipelined ones in order.
 */
export function answerRequest(request: WireRequest, pipeline: Pipeline): Awaitable<Outcome> {
  if (isControlPath(request.path)) return answerControl(request, pipeline)
  const context = new RequestContext(request, pipeline)
  const outcome = tryToAnswer(context)
  if (isPromise(outcome) || isPromise(context.keepBody())) return recordLater(outcome, context)
  context.record(outcome)
  return slowDown(outcome, context)
}

/** The control API is imported on first use: pages and most test suites use the mock directly and do not need it. */
async function answerControl(request: WireRequest, { options, ...pipeline }: Pipeline): Promise<Outcome> {
  const { saveState, baseUrl: bases, delay } = options
  const control = await import('../control/answer-control.ts')
  return control.answerControl(request, { ...pipeline, saveState, bases, delay }).catch(toInternalError)
}

function tryToAnswer(context: RequestContext): Awaitable<Outcome> {
  try {
    return delayAndFail(context)
  } catch (error) {
    return toInternalError(error)
  }
}

/** Logs the error; the response does not contain it. A MockError is the user's mistake, and any other error is a bug. */
function toInternalError(error: unknown): WireResponse {
  if (error instanceof RequestAborted) throw error
  console.error(error instanceof MockError ? error.message : error)
  return createErrorResponse('internal_error', 'The mock failed to answer. Its log shows the error')
}

/** Faults, delay and `Prefer` come before the key check: a real outage also affects requests with an invalid key. */
function delayAndFail(context: RequestContext): Awaitable<Outcome> {
  const { request, sandbox, operation, options } = context
  const preferences = options.prefer ? parsePrefer(request.header('prefer')) : NO_PREFERENCES
  const { fault, headers } = matchFault(context) ?? {}
  const delay = preferences.delay ?? drawDelay(fault?.delay ?? sandbox.delay ?? options.delay, sandbox.random)
  const proceed = (): Awaitable<Outcome> => injectFault(context, { fault, code: preferences.code })
  const outcome = delay > 0 ? wait(delay, context).then(proceed) : proceed()
  // Every response of a deprecated operation has the header (RFC 8594), also those of faults and the user's handlers.
  const sunset = operation?.deprecated === true ? options.sunset?.toUTCString() : undefined
  if (preferences === NO_PREFERENCES && sunset === undefined && headers === undefined) return outcome
  return whenReady(outcome, (each) =>
    withHeaders(each, { ...(sunset !== undefined && { sunset }), ...headers, ...toApplied(each, preferences) }),
  )
}

function matchFault(context: RequestContext): FaultMatch | undefined {
  const { exchange, operation, request, sandbox, options } = context
  if (sandbox.faults.isEmpty || !isBelow(options.baseUrl, request.path)) return undefined
  const { petId, resource, time: now } = exchange
  const selected = { operation: operation?.id, method: request.method, resource, path: request.path, petId, now }
  const match = sandbox.faults.take(selected, sandbox.random)
  if (match?.fault !== undefined) context.noteFault(match.fault)
  return match
}

function toApplied(outcome: Outcome, preferences: Preferences): Record<string, string> {
  const applied = outcome.type === 'response' ? toPreferenceApplied(preferences, outcome.status) : undefined
  return applied === undefined ? {} : { 'preference-applied': applied }
}

async function wait(delay: number, context: RequestContext): Promise<void> {
  const { clock, request, sandbox, options } = context
  // Read before the client can leave, unless somebody may read a larger body than the journal keeps.
  const handlers = sandbox.handlers.length + options.handlers.length
  if (handlers === 0 && options.proxy === undefined) void context.keepBody()
  const hasPassed = await clock.sleep(delay, request.signal(), sandbox.released)
  if (!hasPassed)
    throw new RequestAborted('Failed to respond: the client disconnected during the delay, or its sandbox was reset.')
}

function injectFault(
  context: RequestContext,
  { fault, code }: { readonly fault: MatchedFault | undefined; readonly code: number | undefined },
): Awaitable<Outcome> {
  const { rules } = context.options
  if (code !== undefined && code >= 300) return createFaultResponse({ status: code }, rules)
  if (fault?.status !== undefined) return createFaultResponse({ ...fault, status: fault.status }, rules)
  if (fault?.error === undefined) return checkKey(context)
  if (fault.error === 'truncated') return truncate(checkKey(context), context.request)
  if (fault.error !== 'timeout') return { type: 'connection-fault', kind: fault.error }
  return { type: 'connection-fault', kind: 'timeout', released: context.sandbox.released }
}

/** In bytes. A truncated response of a handler or proxy is the first half of this much: it may be endless. */
const LARGEST_TRUNCATED = 1024 ** 2

async function truncate(pending: Awaitable<Outcome>, request: WireRequest): Promise<Outcome> {
  const outcome = await pending
  if (outcome.type === 'connection-fault') return outcome
  if (outcome.type === 'response') return { type: 'connection-fault', kind: 'truncated', response: outcome }
  const { status, headers, body } = outcome.response
  const limits = { limit: LARGEST_TRUNCATED, signal: request.signal(), isBreakEnd: true }
  const { bytes } = await readBeginning(body, limits)
  const response: WireResponse = { type: 'response', status, headers: Object.fromEntries(headers), body: [bytes] }
  return { type: 'connection-fault', kind: 'truncated', response }
}

/** Creates the 401; `undefined` with a valid key. */
type RefuseKey = (() => WireResponse) | undefined

/** The user's handlers and stubs get no request to an operation without a valid key, whatever the order of the errors. */
function checkKey(context: RequestContext): Awaitable<Outcome> {
  const { operation, auth, request, options } = context
  const isScheme = options.rules.lowerCaseScheme === 'accept' || request.header('authorization')?.startsWith('Bearer ')
  const refuseKey = auth.kind === 'valid' && isScheme ? undefined : () => createKeyResponse(context)
  if (operation !== undefined && refuseKey !== undefined) return runContract(context, refuseKey)
  return askUser(context, refuseKey)
}

/** RFC 6750, section 3.1: `error` is omitted if no token was sent. */
function createKeyResponse({ auth, options }: RequestContext): WireResponse {
  const { challenge, codes } = options.rules
  return createErrorResponse('unauthorized', 'API key is missing or invalid', {
    sentCode: codes[401],
    ...(challenge === 'send' && {
      headers: { 'www-authenticate': auth.kind === 'invalid' ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE },
    }),
  })
}

/** The user's handlers, then a stub or the proxy. What none of them answers is the contract's. */
function askUser(context: RequestContext, refuseKey: RefuseKey): Awaitable<Outcome> {
  const { request, exchange, sandbox, options, pathBelow } = context
  const stub = options.findStub?.(request.method, pathBelow)
  const runOwn = (): Awaitable<Outcome> => {
    if (stub === undefined) return runContract(context, refuseKey)
    if (stub.needsKey && refuseKey !== undefined) return refuseKey()
    exchange.isStubbed = true
    return stub.createResponse()
  }
  const handlers = [...sandbox.handlers, ...options.handlers]
  // The proxy gets what the specification does not define.
  const hasProxy = options.proxy !== undefined && stub === undefined
  const proxy = hasProxy && !hasSpecifiedResponse(request.method, pathBelow) ? options.proxy : undefined
  if (handlers.length === 0 && proxy === undefined) return runOwn()
  return runHandlers(context, { handlers, proxy }).then((outcome) => outcome ?? runOwn())
}

function runContract(context: RequestContext, refuseKey: RefuseKey): Awaitable<WireResponse> {
  const { request, match, sandbox, options } = context
  if (match.kind === 'unknown') return createErrorResponse('not_found', explainMissingRoute(context))
  if (match.kind === 'wrong-method') {
    const allow = addStubMethods(match.allow, { findStub: options.findStub, path: context.pathBelow })
    return refuseMethod(request, allow, suggestPath(context))
  }
  const { route: operation, params } = match
  const hint = operation.specified || refuseKey !== undefined ? undefined : explainHandler(context)
  if (hint !== undefined) return createUnspecifiedResponse(operation, hint)
  return runOperation({
    operation,
    params,
    request: { header: (name) => request.header(name), readBody: () => context.readBody() },
    state: sandbox.state,
    assertCurrent: () => context.assertCurrent(),
    rules: options.rules,
    refuseKey,
  })
}

async function recordLater(pending: Awaitable<Outcome>, context: RequestContext): Promise<Outcome> {
  const { journal } = context.sandbox
  let outcome: Outcome | undefined
  journal.inFlight += 1
  try {
    outcome = await (isPromise(pending)
      ? pending.catch((error) => (context.isObsolete ? BROKEN : toInternalError(error)))
      : pending)
  } finally {
    await context.awaitBody()
    journal.inFlight -= 1
    if (outcome !== undefined && context.isObsolete) outcome = breakOff(outcome)
    context.record(outcome)
  }
  return slowDown(outcome, context)
}

const BROKEN: Outcome = { type: 'connection-fault', kind: 'network' }

/** A request that has no response when its sandbox is reset fails: it must not reach into the next test. */
function breakOff(outcome: Outcome): Outcome {
  if (outcome.type === 'fetch-response') outcome.response.body?.cancel().catch(() => {})
  return BROKEN
}
