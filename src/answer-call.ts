import type { RequestHandler } from 'msw'
import type { Answer } from './contract/answer.ts'
import { isBroken, type Reply } from './contract/broken-answer.ts'
import { BODY_TOO_LARGE, type Call, CallAborted, toCall } from './contract/call.ts'
import { createErrorAnswer } from './contract/error-answer.ts'
import { parsePrefer, toPreferenceApplied } from './contract/prefer.ts'
import { answerControl, isControlPath } from './control/answer-control.ts'
import type { ServiceClock } from './control/clock.ts'
import { drawDelay } from './control/delay.ts'
import { createFaultAnswer } from './control/fault-answer.ts'
import { LARGEST_JOURNAL_BODY } from './control/journal-entry.ts'
import type { Metrics } from './control/metrics.ts'
import type { Sandboxes } from './control/sandboxes.ts'
import { answerFromHandlers } from './handlers/answer-from-handlers.ts'
import { answerOperation } from './handlers/answer-operation.ts'
import type { Keyring } from './inventory/keyring.ts'
import { DEFAULT_SANDBOX } from './inventory/sandbox-name.ts'
import type { ParsedOptions } from './mock-options.ts'
import { createVisit, toExchange, type Visit } from './visit.ts'

/** What every call goes through. */
export interface Stages {
  readonly options: ParsedOptions
  readonly keyring: Keyring
  readonly sandboxes: Sandboxes
  readonly clock: ServiceClock
  readonly metrics: Metrics
}

/** The stages of every call, in their order: control or service, key, fault and delay, answer, journal. */
export async function answerCall(call: Call, stages: Stages): Promise<Reply> {
  const { options, keyring, sandboxes, clock, metrics } = stages
  if (isControlPath(call.url.pathname)) {
    return answerControl(call, { sandboxes, saveState: options.saveState, metrics }).catch(toInternalError)
  }
  const credential = keyring.identify(call.header('authorization'))
  const room = sandboxes.open(credential.kind === 'valid' ? credential.sandbox : DEFAULT_SANDBOX)
  const visit = createVisit(call, { room, credential, base: options.base })
  const [time, start] = [clock.now(), clock.ticks()]
  let reply: Reply | undefined
  try {
    reply = await answerVisit(visit, stages).catch(toInternalError)
    return reply
  } finally {
    const exchange = toExchange(visit, { reply, time, duration: clock.ticks() - start })
    room.journal.record(exchange)
    metrics.count({ ...exchange, status: exchange.answer?.status, isFault: visit.strike !== undefined })
  }
}

/** Faults strike and delays pass before a key is looked at: an outage does not ask who calls. */
async function answerVisit(visit: Visit, { options, clock }: Stages): Promise<Reply> {
  const { call, room, operation, petId } = visit
  const preferences = parsePrefer(options.prefer ? call.header('prefer') : undefined)
  if (operation !== undefined) visit.strike = room.faults.take({ operation: operation.id, petId }, room.random)
  const delay = preferences.delay ?? drawDelay(visit.strike?.delay ?? room.delay ?? options.delay, room.random)
  if (delay > 0 && !(await clock.sleep(delay, call.signal()))) {
    throw new CallAborted('Failed to answer: the client went away while it waited.')
  }
  const reply = await strikeOrAnswer(visit, { options, code: preferences.code })
  if (isBroken(reply) || reply instanceof Response) return reply
  const applied = toPreferenceApplied(preferences, reply.status)
  return applied === undefined ? reply : { ...reply, headers: { ...reply.headers, 'preference-applied': applied } }
}

async function strikeOrAnswer(
  visit: Visit,
  { options, code }: { options: ParsedOptions; code: number | undefined },
): Promise<Reply> {
  const { strike, room } = visit
  if (code !== undefined && code >= 300) return createFaultAnswer({ status: code })
  if (strike?.status !== undefined) return createFaultAnswer({ ...strike, status: strike.status })
  const breakage = strike?.error
  if (breakage !== undefined && breakage !== 'truncated') return { breakage, released: room.released }
  const reply = await answerWhole(visit, options)
  return breakage === undefined ? reply : { breakage, answer: await toAnswer(reply) }
}

/** Handlers of the user's own come first; what they leave, the contract answers. */
async function answerWhole(
  visit: Visit,
  { handlers, quantityRange, sunset }: ParsedOptions,
): Promise<Answer | Response> {
  const { call, room, credential, path } = visit
  const { response, rest } = await askUser(visit, [...room.handlers, ...handlers])
  if (response !== undefined) return response
  const noted: Call = {
    ...(rest ?? call),
    async readBody(limit) {
      const body = await (rest ?? call).readBody(limit)
      if (body !== BODY_TOO_LARGE) visit.body = body
      return body
    },
  }
  return answerOperation(noted, { credential, path, state: room.state, quantityRange, sunset })
}

/** `rest` is the call for those who come after the handlers, its body still unread. */
async function askUser(
  visit: Visit,
  handlers: readonly RequestHandler[],
): Promise<{ response?: Response | undefined; rest?: Call }> {
  if (handlers.length === 0) return {}
  const request = visit.call.toRequest()
  const response = await answerFromHandlers(handlers, request.clone())
  if (response === undefined) return { rest: toCall(request) }
  // For the journal; the answer does not wait for a client that is still sending.
  void toCall(request)
    .readBody(LARGEST_JOURNAL_BODY)
    .then((body) => {
      if (body !== BODY_TOO_LARGE) visit.body = body
    })
    .catch(() => {})
  return { response }
}

async function toAnswer(reply: Answer | Response): Promise<Answer> {
  if (!(reply instanceof Response)) return reply
  const body = new Uint8Array(await reply.arrayBuffer())
  return { status: reply.status, headers: Object.fromEntries(reply.headers), body }
}

/** An unforeseen error is a bug: it is told once, and its answer leaks nothing. */
function toInternalError(error: unknown): Answer {
  if (error instanceof CallAborted) throw error
  console.error(error)
  return createErrorAnswer('internal_error', 'The double failed to answer. Its log shows the error')
}
