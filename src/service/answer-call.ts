import type { Keyring } from '../auth/authenticator.ts'
import { DEFAULT_SANDBOX } from '../auth/sandbox-name.ts'
import type { ControlParts } from '../control/answer-control.ts'
import { isControlPath } from '../control/control-path.ts'
import { type Awaitable, isPromise, whenReady } from '../http/awaitable.ts'
import { createErrorAnswer } from '../http/error-response.ts'
import { isAnswer, type Reply } from '../http/outcome.ts'
import { NO_PREFERENCES, type Preferences, parsePrefer, toPreferenceApplied } from '../http/prefer.ts'
import { type Call, CallAborted, toCall } from '../http/wire-request.ts'
import type { Answer } from '../http/wire-response.ts'
import { answerOperation } from '../operations/answer-operation.ts'
import type { ServiceClock } from '../sandbox/clock.ts'
import { drawDelay } from '../sandbox/delay.ts'
import type { EventFeeds } from '../sandbox/event-feed.ts'
import { createFaultAnswer } from '../sandbox/fault-response.ts'
import type { Strike } from '../sandbox/faults.ts'
import type { Metrics } from '../sandbox/metrics.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'
import type { UserHandler } from '../sandbox/user-handler.ts'
import { answerFromHandlers } from './ask-user-handlers.ts'
import type { ParsedOptions } from './mock-options.ts'
import { noteReply } from './note-reply.ts'
import { createVisit, keepBody, noteStrike, readBody, readForJournal, type Visit } from './visit.ts'

/** What every call goes through. */
export interface Stages {
  readonly options: ParsedOptions
  readonly keyring: Keyring
  readonly sandboxes: Sandboxes
  readonly clock: ServiceClock
  readonly metrics: Metrics
  readonly feeds: EventFeeds
}

/**
 * The stages of every call, in their order: control or service, key, fault and delay, answer, journal. The reply is
 * there at once unless a delay, a handler of the user's own or a body on its way has to be waited for.
 */
export function answerCall(call: Call, stages: Stages): Awaitable<Reply> {
  const { options, keyring, sandboxes, clock, metrics, feeds } = stages
  if (isControlPath(call.path)) {
    const parts = {
      sandboxes,
      saveState: options.saveState,
      basePath: options.base.path,
      delay: options.delay,
      metrics,
      feeds,
    }
    return answerControl(call, parts).catch(toInternalError)
  }
  const credential = keyring.identify(call.header('authorization'))
  const room = sandboxes.open(credential.kind === 'valid' ? credential.sandbox : DEFAULT_SANDBOX)
  const visit = createVisit(call, { room, credential, base: options.base, time: clock.now() })
  const start = clock.ticks()
  const recording = { visit, start, stages }
  const reply = tryToAnswer(visit, stages)
  if (isPromise(reply)) return recordLater(reply, recording)
  record(reply, recording)
  return reply
}

function tryToAnswer(visit: Visit, stages: Stages): Awaitable<Reply> {
  try {
    return answerVisit(visit, stages)
  } catch (error) {
    return toInternalError(error)
  }
}

interface Recording {
  readonly visit: Visit
  readonly start: number
  readonly stages: Stages
}

async function recordLater(pending: Promise<Reply>, recording: Recording): Promise<Reply> {
  let reply: Reply | undefined
  try {
    reply = await pending.catch(toInternalError)
    return reply
  } finally {
    record(reply, recording)
  }
}

/** @param reply None where the client went away before. */
function record(reply: Reply | undefined, { visit, start, stages: { clock, metrics } }: Recording): void {
  const { exchange, room } = visit
  if (reply !== undefined) noteReply(exchange, reply)
  exchange.duration = clock.ticks() - start
  room.journal.record(exchange)
  metrics.count(exchange)
  keepBody(visit)
}

/** The control API is loaded on first use: a page, and most test suites, have the mock itself at hand. */
async function answerControl(call: Call, parts: ControlParts): Promise<Reply> {
  const control = await import('../control/answer-control.ts')
  return control.answerControl(call, parts)
}

/** Faults strike and delays pass before a key is looked at: an outage does not ask who calls. */
function answerVisit(visit: Visit, { options, clock }: Stages): Awaitable<Reply> {
  const { call, room } = visit
  const preferences = options.prefer ? parsePrefer(call.header('prefer')) : NO_PREFERENCES
  const strike = takeStrike(visit)
  const delay = preferences.delay ?? drawDelay(strike?.delay ?? room.delay ?? options.delay, room.random)
  const answer = (): Awaitable<Reply> => strikeOrAnswer(visit, { options, strike, code: preferences.code })
  const reply = delay > 0 ? waitFor(delay, { call, clock }).then(answer) : answer()
  return preferences === NO_PREFERENCES ? reply : whenReady(reply, (each) => withPreferences(each, preferences))
}

async function waitFor(delay: number, { call, clock }: { call: Call; clock: ServiceClock }): Promise<void> {
  const hasPassed = await clock.sleep(delay, call.signal())
  if (!hasPassed) throw new CallAborted('Failed to answer: the client went away while it waited.')
}

function takeStrike(visit: Visit): Strike | undefined {
  const { operation, petId } = visit.exchange
  const strike = operation && visit.room.faults.take({ operation, petId }, visit.room.random)
  if (strike !== undefined) noteStrike(visit, strike)
  return strike
}

function strikeOrAnswer(
  visit: Visit,
  { options, strike, code }: { options: ParsedOptions; strike: Strike | undefined; code: number | undefined },
): Awaitable<Reply> {
  if (code !== undefined && code >= 300) return createFaultAnswer({ status: code })
  if (strike?.status !== undefined) return createFaultAnswer({ ...strike, status: strike.status })
  if (strike?.error === undefined) return answerWhole(visit, options)
  if (strike.error === 'truncated') return truncate(answerWhole(visit, options))
  return { breakage: strike.error, released: visit.room.released }
}

/** Handlers of the user's own come first; what they leave, the contract answers. */
function answerWhole(visit: Visit, options: ParsedOptions): Awaitable<Answer | Response> {
  const handlers = [...visit.room.handlers, ...options.handlers]
  if (handlers.length === 0) return answerByContract(visit, { options, call: visit.call })
  return askUser(visit, { options, handlers })
}

/** @param call The call with its body still unread. */
function answerByContract(visit: Visit, { options, call }: { options: ParsedOptions; call: Call }): Awaitable<Answer> {
  const { room, credential, route } = visit
  const { method, path } = call
  const { quantityRange, sunset } = options
  return answerOperation(
    { method, path, header: (name) => call.header(name), readBody: (limit) => readBody(visit, call, limit) },
    { credential, route, state: room.state, quantityRange, sunset },
  )
}

async function askUser(
  visit: Visit,
  { options, handlers }: { options: ParsedOptions; handlers: readonly UserHandler[] },
): Promise<Answer | Response> {
  const request = visit.call.toRequest()
  if (request === undefined) return answerByContract(visit, { options, call: visit.call })
  visit.isBodyTaken = true
  const response = await answerFromHandlers(handlers, request.clone())
  if (response === undefined) return answerByContract(visit, { options, call: toCall(request) })
  // For the journal; the answer does not wait for a client that is still sending.
  readForJournal(visit, toCall(request))
  return response
}

async function truncate(answer: Awaitable<Answer | Response>): Promise<Reply> {
  const reply = await answer
  if (isAnswer(reply)) return { breakage: 'truncated', answer: reply }
  const body = [new Uint8Array(await reply.arrayBuffer())]
  return {
    breakage: 'truncated',
    answer: { status: reply.status, headers: Object.fromEntries(reply.headers), body },
  }
}

function withPreferences(reply: Reply, preferences: Preferences): Reply {
  if (!isAnswer(reply)) return reply
  const applied = toPreferenceApplied(preferences, reply.status)
  return applied === undefined ? reply : { ...reply, headers: { ...reply.headers, 'preference-applied': applied } }
}

/** An unforeseen error is a bug: it is told once, and its answer leaks nothing. */
function toInternalError(error: unknown): Answer {
  if (error instanceof CallAborted) throw error
  console.error(error)
  return createErrorAnswer('internal_error', 'The double failed to answer. Its log shows the error')
}
