import { isBelow } from '../http/base-url.ts'
import { type Outcome, withHeaders } from '../http/outcome.ts'
import { NO_PREFERENCES, type Preferences, parsePrefer, toPreferenceApplied } from '../http/prefer.ts'
import { readBeginning } from '../http/read-beginning.ts'
import { type Awaitable, RequestAborted, type WireRequest, whenReady } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import type { ServiceClock } from '../sandbox/clock.ts'
import { drawDelay } from '../sandbox/delay.ts'
import { createFaultResponse } from '../sandbox/fault-response.ts'
import type { FaultMatch, MatchedFault } from '../sandbox/faults.ts'
import { answerOperation } from './answer-operation.ts'
import type { ParsedOptions } from './parse-options.ts'
import { type RequestContext, toJournalFault } from './request-context.ts'

/**
 * Applies the sandbox's faults, the delay and the request's `Prefer` header to the response of the operation. They come
 * before the key check, because a real outage also affects requests with an invalid key.
 */
export function answerWithFaults(
  context: RequestContext,
  { options, clock }: { options: ParsedOptions; clock: ServiceClock },
): Awaitable<Outcome> {
  const { request, sandbox } = context
  const preferences = options.prefer ? parsePrefer(request.header('prefer')) : NO_PREFERENCES
  const { fault, headers } = takeFault(context, options) ?? {}
  const delay = preferences.delay ?? drawDelay(fault?.delay ?? sandbox.delay ?? options.delay, sandbox.random)
  const respond = (): Awaitable<Outcome> => injectFault(context, { options, fault, code: preferences.code })
  const outcome = delay > 0 ? respondAfter(delay, { context, clock, respond }) : respond()
  const sunset = toSunset(context, options)
  if (preferences === NO_PREFERENCES && sunset === undefined && headers === undefined) return outcome
  return whenReady(outcome, (each) => withHeaders(each, { ...sunset, ...headers, ...toApplied(each, preferences) }))
}

interface Delayed {
  readonly context: RequestContext
  readonly clock: ServiceClock
  readonly respond: () => Awaitable<Outcome>
}

/** A request that is still waiting when its sandbox is reset fails: it must not change the state of the next test. */
async function respondAfter(delay: number, { context, clock, respond }: Delayed): Promise<Outcome> {
  const { released } = context.sandbox
  const hasPassed = await clock.sleep(delay, context.request.signal(), released)
  if (hasPassed) return respond()
  if (!released.aborted) throw new RequestAborted('Failed to respond: the client disconnected during the delay.')
  context.isObsolete = true
  return { type: 'connection-fault', kind: 'network' }
}

function takeFault(context: RequestContext, { baseUrl }: ParsedOptions): FaultMatch | undefined {
  const { exchange, operation, request, sandbox } = context
  if (sandbox.faults.isEmpty || !isBelow(baseUrl, request.path)) return undefined
  const { petId, resource, time: now } = exchange
  const selected = { operation: operation?.id, method: request.method, resource, petId, now }
  const match = sandbox.faults.take(selected, sandbox.random)
  if (match?.fault !== undefined) exchange.fault = toJournalFault(match.fault, operation)
  return match
}

function injectFault(
  context: RequestContext,
  { options, fault, code }: { options: ParsedOptions; fault: MatchedFault | undefined; code: number | undefined },
): Awaitable<Outcome> {
  if (code !== undefined && code >= 300) return createFaultResponse({ status: code }, options.rules)
  if (fault?.status !== undefined) return createFaultResponse({ ...fault, status: fault.status }, options.rules)
  if (fault?.error === undefined) return answerOperation(context, options)
  if (fault.error === 'truncated') return truncate(answerOperation(context, options), context.request)
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
  const limits = { limit: LARGEST_TRUNCATED, signal: request.signal() }
  const read = body === null ? [] : await readBeginning(body, limits)
  const response: WireResponse = { type: 'response', status, headers: Object.fromEntries(headers), body: read }
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
