import type { Authenticator, AuthResult } from '../auth/authenticator.ts'
import { DEFAULT_SANDBOX } from '../auth/sandbox-name.ts'
import type { ControlParts } from '../control/routes/define-control-route.ts'
import type { ByteBudget } from '../http/byte-budget.ts'
import { createErrorResponse } from '../http/error-response.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import { MockError } from '../http/mock-error.ts'
import { type Outcome, toHandlerOutcome, toWireResponse, withHeaders } from '../http/outcome.ts'
import { NO_PREFERENCES, type Preferences, parsePrefer, toPreferenceApplied } from '../http/prefer.ts'
import { isControlPath, refuseMethod } from '../http/router.ts'
import {
  type Awaitable,
  BODY_TOO_LARGE,
  isPromise,
  RequestAborted,
  toWireRequest,
  type WireRequest,
  whenReady,
} from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import { findBodyPetId, LARGEST_BODY, readRequest } from '../operations/read-request.ts'
import { drawDelay, type ServiceClock } from '../sandbox/clock.ts'
import type { EventFeeds } from '../sandbox/event-feed.ts'
import { createFaultResponse } from '../sandbox/fault-response.ts'
import type { FaultMatch, MatchedFault } from '../sandbox/faults.ts'
import type { Metrics } from '../sandbox/metrics.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'
import type { UserHandler } from '../sandbox/user-handler.ts'
import { askUserHandlers } from './ask-user-handlers.ts'
import { LARGEST_HANDLER_BODY, limitBody } from './limit-body.ts'
import type { ParsedOptions } from './mock-options.ts'
import type { ProxyTarget } from './proxy-request.ts'
import {
  createRequestContext,
  keepBody,
  type RequestContext,
  readBody,
  recordOutcome,
  toJournalFault,
} from './request-context.ts'

// Captured at load: an interceptor that is applied later would send a proxied request back to the mock.
const { fetch } = globalThis

/** The parts of a mock that handle every request. */
export interface Pipeline {
  readonly options: ParsedOptions
  readonly authenticator: Authenticator
  readonly sandboxes: Sandboxes
  readonly clock: ServiceClock
  readonly metrics: Metrics
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
  const outcome = tryToAnswer(context, pipeline)
  if (isPromise(outcome)) return recordLater(outcome, { context, start, pipeline })
  record(outcome, { context, start, pipeline })
  return outcome
}

/** The control API is imported on first use: pages and most test suites use the mock directly and do not need it. */
async function answerControl(request: WireRequest, { options, ...pipeline }: Pipeline): Promise<Outcome> {
  const { saveState, baseUrl: bases, delay } = options
  const { sandboxes, clock, metrics, feeds, uploads } = pipeline
  const parts: ControlParts = { sandboxes, clock, saveState, bases, delay, metrics, feeds, uploads }
  const control = await import('../control/answer-control.ts')
  return control.answerControl(request, parts).catch(toInternalError)
}

function tryToAnswer(context: RequestContext, pipeline: Pipeline): Awaitable<Outcome> {
  try {
    const { petIdOf } = context.operation ?? {}
    if (petIdOf?.in !== 'body') return answerService(context, pipeline)
    // To match a fault by petId, the body must be read first.
    return whenReady(readBody(context, LARGEST_BODY), (body) => {
      if (body !== BODY_TOO_LARGE) context.exchange.petId = findBodyPetId(body, petIdOf.name)
      return answerService(context, pipeline)
    })
  } catch (error) {
    return toInternalError(error)
  }
}

interface Recording {
  readonly context: RequestContext
  readonly start: number
  readonly pipeline: Pipeline
}

async function recordLater(pending: Promise<Outcome>, recording: Recording): Promise<Outcome> {
  let outcome: Outcome | undefined
  try {
    outcome = await pending.catch(toInternalError)
    return outcome
  } finally {
    record(outcome, recording)
  }
}

/** @param outcome `undefined` if the client disconnected. */
function record(outcome: Outcome | undefined, { context, start, pipeline: { clock, metrics } }: Recording): void {
  const { exchange, sandbox, request } = context
  if (outcome !== undefined) recordOutcome(context, outcome)
  request.onRecorded?.(exchange)
  exchange.duration = clock.ticks() - start
  sandbox.journal.record(exchange)
  sandbox.account.update()
  metrics.count(exchange)
  void whenReady(keepBody(context), () => context.release?.())
}

/** Faults and delays come before the key check, because a real outage also affects requests with an invalid key. */
function answerService(context: RequestContext, { options, clock }: Pipeline): Awaitable<Outcome> {
  const { request, sandbox } = context
  const preferences = options.prefer ? parsePrefer(request.header('prefer')) : NO_PREFERENCES
  const { fault, headers } = takeFault(context) ?? {}
  const delay = preferences.delay ?? drawDelay(fault?.delay ?? sandbox.delay ?? options.delay, sandbox.random)
  const respond = (): Awaitable<Outcome> => injectFault(context, { options, fault, code: preferences.code })
  const outcome = delay > 0 ? waitFor(delay, { request, clock }).then(respond) : respond()
  const sunset = toSunset(context, options)
  if (preferences === NO_PREFERENCES && sunset === undefined && headers === undefined) return outcome
  return whenReady(outcome, (each) => withHeaders(each, { ...sunset, ...headers, ...toApplied(each, preferences) }))
}

async function waitFor(
  delay: number,
  { request, clock }: { request: WireRequest; clock: ServiceClock },
): Promise<void> {
  const hasPassed = await clock.sleep(delay, request.signal())
  if (!hasPassed) throw new RequestAborted('Failed to respond: the client disconnected during the delay.')
}

function takeFault(context: RequestContext): FaultMatch | undefined {
  const { exchange, operation, sandbox } = context
  if (operation === undefined) return undefined
  const request = { operation: operation.id, petId: exchange.petId, now: exchange.time }
  const match = sandbox.faults.take(request, sandbox.random)
  if (match?.fault !== undefined) exchange.fault = toJournalFault(match.fault, operation)
  return match
}

function injectFault(
  context: RequestContext,
  { options, fault, code }: { options: ParsedOptions; fault: MatchedFault | undefined; code: number | undefined },
): Awaitable<Outcome> {
  if (code !== undefined && code >= 300) return createFaultResponse({ status: code })
  if (fault?.status !== undefined) return createFaultResponse({ ...fault, status: fault.status })
  if (fault?.error === undefined) return answerOperation(context, options)
  if (fault.error === 'truncated') return truncate(answerOperation(context, options))
  if (fault.error !== 'timeout') return { type: 'connection-fault', kind: fault.error }
  return { type: 'connection-fault', kind: 'timeout', released: context.sandbox.released }
}

/** Checks the key if an operation matches, then runs the user's handlers, then the operation. */
function answerOperation(context: RequestContext, options: ParsedOptions): Awaitable<Outcome> {
  const { auth, operation, sandbox } = context
  if (operation !== undefined && auth.kind !== 'valid') return refuseKey(auth)
  const handlers = [...sandbox.handlers, ...options.handlers]
  const proxy = isSpecified(context) ? undefined : options.proxy
  if (handlers.length === 0 && proxy === undefined) return answerByContract(context, options)
  return askHandlers(context, { options, handlers, proxy })
}

/** Whether the specification shows the responses. A 405 follows from it, too. */
function isSpecified({ match }: RequestContext): boolean {
  return match.kind === 'found' ? match.route.specified : match.kind === 'wrong-method'
}

/** RFC 6750, section 3.1: `error` is omitted if no token was sent. */
function refuseKey({ kind }: AuthResult): WireResponse {
  const challenge = 'Bearer realm="petstore"'
  return createErrorResponse('unauthorized', 'API key is missing or invalid', {
    'www-authenticate': kind === 'invalid' ? `${challenge}, error="invalid_token"` : challenge,
  })
}

async function askHandlers(
  context: RequestContext,
  {
    options,
    handlers,
    proxy,
  }: { options: ParsedOptions; handlers: readonly UserHandler[]; proxy: ProxyTarget | undefined },
): Promise<Outcome> {
  const read = await context.body
  const request = context.request.toRequest(read === BODY_TOO_LARGE ? undefined : read)
  if (request === undefined) return answerByContract(context, options)
  const tooLarge = `The body must be at most ${LARGEST_HANDLER_BODY} bytes`
  if (Number(context.request.header('content-length')) > LARGEST_HANDLER_BODY)
    return createErrorResponse('invalid_request', tooLarge)
  const limited = limitBody(request, context.uploads)
  context.release = limited.release
  context.bodySource = toWireRequest(limited.request)
  try {
    const response = handlers.length === 0 ? undefined : await askUserHandlers(handlers, limited.request.clone())
    if (response !== undefined) return toHandlerOutcome(response)
    if (proxy === undefined) return answerByContract(context, options)
    context.exchange.isProxied = true
    const { proxyRequest } = await import('./proxy-request.ts')
    return await proxyRequest(limited.request.clone(), { ...proxy, fetch })
  } catch (error) {
    if (limited.isTooLarge) return createErrorResponse('invalid_request', tooLarge)
    throw error
  }
}

function answerByContract(
  context: RequestContext,
  { quantity: quantityRange }: ParsedOptions,
): Awaitable<WireResponse> {
  const { request, match, sandbox } = context
  const { method, path } = request
  if (match.kind === 'unknown') {
    return createErrorResponse('not_found', `There is no route ${method} ${hideInAddress(path)}`)
  }
  if (match.kind === 'wrong-method') return refuseMethod({ method, path }, match.allow)
  const { route: operation, params } = match
  const source = {
    header: (name: string) => request.header(name),
    readBody: (limit: number) => readBody(context, limit),
  }
  return whenReady(readRequest(source, { operation, params }), (read) =>
    'problem' in read
      ? createErrorResponse('invalid_request', read.problem)
      : operation.answer(read, { state: sandbox.state, quantityRange }),
  )
}

async function truncate(pending: Awaitable<Outcome>): Promise<Outcome> {
  const outcome = await pending
  if (outcome.type === 'connection-fault') return outcome
  const response = outcome.type === 'response' ? outcome : await toWireResponse(outcome)
  return { type: 'connection-fault', kind: 'truncated', response }
}

/** Every response of a deprecated operation has the header (RFC 8594), also those of faults and the user's handlers. */
function toSunset({ operation }: RequestContext, { sunset }: ParsedOptions): { sunset: string } | undefined {
  return sunset !== undefined && operation?.deprecated === true ? { sunset: sunset.toUTCString() } : undefined
}

function toApplied(outcome: Outcome, preferences: Preferences): Record<string, string> {
  const applied = outcome.type === 'response' ? toPreferenceApplied(preferences, outcome.status) : undefined
  return applied === undefined ? {} : { 'preference-applied': applied }
}

/** It is logged, and the response does not show it. A MockError is the user's mistake; any other error is a bug. */
function toInternalError(error: unknown): WireResponse {
  if (error instanceof RequestAborted) throw error
  console.error(error instanceof MockError ? error.message : error)
  return createErrorResponse('internal_error', 'The mock failed to answer. Its log shows the error')
}
