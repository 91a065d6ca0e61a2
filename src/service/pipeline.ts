import { type Authenticator, DEFAULT_SANDBOX } from '../auth/authenticator.ts'
import { isBelow } from '../http/base-url.ts'
import { type ByteBudget, readBeginning } from '../http/bytes.ts'
import { CHALLENGE, createErrorResponse } from '../http/error-response.ts'
import { MockError } from '../http/mock-error.ts'
import { type Outcome, withHeaders } from '../http/outcome.ts'
import { NO_PREFERENCES, type Preferences, parsePrefer, toPreferenceApplied } from '../http/prefer.ts'
import { isControlPath, refuseMethod } from '../http/router.ts'
import { type Awaitable, isPromise, RequestAborted, type WireRequest, whenReady } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import { createUnspecifiedResponse, hasSpecifiedResponse } from '../operations/operations.ts'
import { runOperation } from '../operations/run-operation.ts'
import type { ServiceClock } from '../sandbox/clock.ts'
import { drawDelay } from '../sandbox/delay.ts'
import type { EventFeeds } from '../sandbox/event-feed.ts'
import { createFaultResponse } from '../sandbox/fault.ts'
import type { FaultMatch, MatchedFault } from '../sandbox/faults.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'
import { answerByUser } from './answer-by-user.ts'
import { explainHandler, explainMissingRoute, suggestPath } from './explain-missing-route.ts'
import type { ParsedOptions } from './parse-options.ts'
import {
  assertCurrent,
  awaitBody,
  createRequestContext,
  isObsolete,
  keepBody,
  noteFault,
  type RequestContext,
  readBody,
  recordOutcome,
} from './request-context.ts'
import { addStubMethods, type FoundStub } from './stubs.ts'

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
 * The way of a request, in the order of this file: control API, or the sandbox of its key; fault and delay; key check;
 * user's handlers, stub, proxy; operation; journal. Synchronous unless there is a delay, a user's handler or a body that
 * has not arrived yet: that halves the time of short requests and keeps pipelined ones in order.
 */
export function answerRequest(request: WireRequest, pipeline: Pipeline): Awaitable<Outcome> {
  const { options, authenticator, sandboxes } = pipeline
  if (isControlPath(request.path)) return answerControl(request, pipeline)
  const auth = authenticator.authenticate(request.header('authorization'))
  const sandbox = sandboxes.open(auth.kind === 'missing' ? DEFAULT_SANDBOX : (auth.sandbox ?? DEFAULT_SANDBOX))
  const context = createRequestContext(request, { ...pipeline, sandbox, auth })
  // Handlers and the proxy get the body as a stream, which can be longer than what the journal keeps.
  const isStreamed = sandbox.handlers.length > 0 || options.handlers.length > 0 || options.proxy !== undefined
  if (!isStreamed) void keepBody(context)
  const outcome = tryToAnswer(context)
  if (isPromise(outcome) || isPromise(keepBody(context))) return recordLater(outcome, context)
  record(outcome, context)
  return outcome
}

/** The control API is imported on first use: pages and most test suites use the mock directly and do not need it. */
async function answerControl(request: WireRequest, { options, ...pipeline }: Pipeline): Promise<Outcome> {
  const { saveState, baseUrl: bases, delay } = options
  const control = await import('../control/answer-control.ts')
  return control.answerControl(request, { ...pipeline, saveState, bases, delay }).catch(toInternalError)
}

function tryToAnswer(context: RequestContext): Awaitable<Outcome> {
  try {
    return answerService(context)
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
function answerService(context: RequestContext): Awaitable<Outcome> {
  const { request, sandbox, operation, options } = context
  const preferences = options.prefer ? parsePrefer(request.header('prefer')) : NO_PREFERENCES
  const { fault, headers } = matchFault(context) ?? {}
  const delay = preferences.delay ?? drawDelay(fault?.delay ?? sandbox.delay ?? options.delay, sandbox.random)
  const answer = (): Awaitable<Outcome> => injectFault(context, { fault, code: preferences.code })
  const outcome = delay > 0 ? wait(delay, context, answer) : answer()
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
  if (match?.fault !== undefined) noteFault(context, match.fault)
  return match
}

function toApplied(outcome: Outcome, preferences: Preferences): Record<string, string> {
  const applied = outcome.type === 'response' ? toPreferenceApplied(preferences, outcome.status) : undefined
  return applied === undefined ? {} : { 'preference-applied': applied }
}

async function wait(delay: number, context: RequestContext, answer: () => Awaitable<Outcome>): Promise<Outcome> {
  const { released } = context.sandbox
  const hasPassed = await context.clock.sleep(delay, context.request.signal(), released)
  if (hasPassed) return answer()
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
  const refuseKey = hasKey(context) ? undefined : () => createKeyResponse(context)
  const isRefused = context.operation !== undefined && refuseKey !== undefined
  return isRefused ? answerByContract(context, refuseKey) : askUser(context, refuseKey)
}

function hasKey({ auth, request, options }: RequestContext): boolean {
  if (auth.kind !== 'valid') return false
  return options.rules.lowerCaseScheme === 'accept' || request.header('authorization')?.startsWith('Bearer ') === true
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

/** Asks the user's handlers, then a stub or the proxy. What none of them answers is the contract's. */
function askUser(context: RequestContext, refuseKey: RefuseKey): Awaitable<Outcome> {
  const { request, sandbox, options, pathBelow } = context
  const handlers = [...sandbox.handlers, ...options.handlers]
  const stub = options.findStub?.(request.method, pathBelow)
  // The proxy gets what the specification does not define. Without one, the route is not matched again.
  const hasProxy = options.proxy !== undefined && stub === undefined && !hasSpecifiedResponse(request.method, pathBelow)
  const answer = (): Awaitable<Outcome> =>
    stub === undefined ? answerByContract(context, refuseKey) : answerByStub(context, { stub, refuseKey })
  if (handlers.length === 0 && !hasProxy) return answer()
  const proxy = hasProxy ? options.proxy : undefined
  return answerByUser(context, { handlers, proxy }).then((outcome) => outcome ?? answer())
}

function answerByStub(
  { exchange }: RequestContext,
  { stub, refuseKey }: { readonly stub: FoundStub; readonly refuseKey: RefuseKey },
): WireResponse {
  if (stub.needsKey && refuseKey !== undefined) return refuseKey()
  exchange.isStubbed = true
  return stub.createResponse()
}

function answerByContract(context: RequestContext, refuseKey: RefuseKey): Awaitable<WireResponse> {
  const { request, match, sandbox, options } = context
  const { method, path } = request
  if (match.kind === 'unknown') return createErrorResponse('not_found', explainMissingRoute(context))
  if (match.kind === 'wrong-method') {
    const allow = addStubMethods(match.allow, { findStub: options.findStub, path: context.pathBelow })
    return refuseMethod({ method, path }, allow, suggestPath(context))
  }
  const { route: operation, params } = match
  const hint = operation.specified || refuseKey !== undefined ? undefined : explainHandler(context)
  if (hint !== undefined) return createUnspecifiedResponse(operation, hint)
  const source = {
    header: (name: string) => request.header(name),
    readBody: () => readBody(context),
  }
  return runOperation({
    operation,
    params,
    request: source,
    state: sandbox.state,
    assertCurrent: () => assertCurrent(context),
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
      ? pending.catch((error) => (isObsolete(context) ? BROKEN : toInternalError(error)))
      : pending)
  } finally {
    await awaitBody(context)
    journal.inFlight -= 1
    if (outcome !== undefined && isObsolete(context)) outcome = breakOff(outcome)
    record(outcome, context)
  }
  return outcome
}

const BROKEN: Outcome = { type: 'connection-fault', kind: 'network' }

/** A request that has no response when its sandbox is reset fails: it must not reach into the next test. */
function breakOff(outcome: Outcome): Outcome {
  if (outcome.type === 'fetch-response') outcome.response.body?.cancel().catch(() => {})
  return BROKEN
}

/** @param outcome `undefined` if the client disconnected. */
function record(outcome: Outcome | undefined, context: RequestContext): void {
  const { exchange, sandbox, request, clock, start } = context
  if (outcome !== undefined) recordOutcome(context, outcome)
  request.onRecorded?.(exchange)
  // The clock goes back when it returns from virtual to real time.
  exchange.duration = Math.max(0, clock.ticks() - start)
  if (!isObsolete(context)) sandbox.journal.record(exchange)
  sandbox.countState()
  if (context.release !== undefined) void whenReady(keepBody(context), context.release)
}
