import * as v from 'valibot'
import { CHALLENGE, ERROR_STATUSES, type FaultCode } from '../http/error-response.ts'
import { parseExactJson } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { CONNECTION_FAULTS, type ConnectionFaultKind } from '../http/outcome.ts'
import { must, object, oneOf, parseWith, readAs, type Schema, whole } from '../http/schema.ts'
import { isBodilessStatus, type WireResponse } from '../http/wire-response.ts'
import { toPetId } from '../inventory/pet.ts'
import type { ErrorCodes, Rules } from '../inventory/profile.ts'
import { CONDITION, checkWith, explainContradiction, type ParsedCondition, type RequestCondition } from './condition.ts'
import { DELAY, type Delay } from './delay.ts'
import { createRuleResponse, explainBody, HEADERS, isText, writeBody } from './rule-response.ts'

/**
 * A fault to inject. It needs `status`, `statuses`, `error`, `delay`, `bytesPerSecond` or `rateLimit`; with `delay` or
 * `bytesPerSecond` alone, it only slows down the response. Without `operation`, `method`, `path` and `petId`, it affects
 * every request below the base path, also those to stubs and handlers.
 */
export interface Fault extends RequestCondition {
  /** From 200 to 599. The body is an Error object unless `body` is set, which a status of success needs (not 204, 205). */
  readonly status?: number
  /**
   * The response body, sent as exact JSON: bigints keep all their digits, and a value that JSON cannot represent is an
   * error. A string is sent as it is if `headers` has a `content-type` other than JSON. Requires `status` or `rateLimit`.
   */
  readonly body?: unknown
  /** Headers of the response. They replace the mock's own, such as `Content-Type`. Requires `status`, `statuses` or `rateLimit`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Breaks the connection instead of sending a response. Cannot be combined with `status`. */
  readonly error?: ConnectionFaultKind
  /**
   * A sequence of up to 1,000 statuses, one for each matching request. 200 lets the request through; at least one
   * must be another status. The fault ends after `times` rounds of the sequence, by default one.
   */
  readonly statuses?: readonly number[]
  /** Limits the matching requests in a time window. Requests above the limit get a 429, or `status`. */
  readonly rateLimit?: RateLimit
  /** The delay of the response in milliseconds. Replaces the delay of the sandbox. */
  readonly delay?: Delay | string
  /** The speed at which the body arrives, after the head. Cannot be combined with `error`. */
  readonly bytesPerSecond?: number
  /**
   * How many times the fault is triggered.
   * @default unlimited
   */
  readonly times?: number
  /**
   * The probability, from 0 to 1, that a matching request triggers the fault, drawn from the sandbox's random sequence.
   * @minimum 0
   * @maximum 1
   * @default 1
   */
  readonly probability?: number
  /**
   * Ignores this number of matching requests first.
   * @default 0
   */
  readonly after?: number
  /**
   * Triggers the fault only for every nth matching request. 3 means the third, the sixth and so on.
   * @default 1
   */
  readonly every?: number
  /** The `Retry-After` header (RFC 9110, section 10.2.3), in seconds. Requires `status` or `statuses`. */
  readonly retryAfter?: number
}

/** A limit on requests in a fixed time window. */
export interface RateLimit {
  /** The number of requests that are let through in a window. */
  readonly requests: number
  /** The length of a window in milliseconds. A window starts with its first request. */
  readonly window: number
}

/** A validated fault. */
export interface ParsedFault extends Omit<Fault, keyof RequestCondition | 'delay' | 'body'>, ParsedCondition {
  readonly delay?: Delay
  /** The serialized body. As an object, it could take many times the memory. */
  readonly bodyText?: string
}

/** In a sequence, this status lets the request through to the service. */
export const LET_THROUGH = 200

const improbable = must('a number from 0 to 1')

const STATUSES = v.pipe(
  v.array(readAs(readStatus, `${LET_THROUGH} or a whole number from 400 to 599`), must('an array of statuses')),
  v.maxLength(1000, 'has more than 1,000. To repeat a sequence, use times'),
  v.check(
    (statuses) => statuses.some((status) => status !== LET_THROUGH),
    'lets every request through. Give at least one status from 400 to 599',
  ),
)

type GivenFault = Omit<ParsedFault, 'bodyText'> & Pick<Fault, 'body'>

/** @internal */
export const FAULT: Schema<GivenFault> = v.pipe(
  object<GivenFault>({
    ...CONDITION,
    status: v.optional(whole(200, 599)),
    statuses: v.optional(STATUSES),
    rateLimit: v.optional(object<RateLimit>({ requests: whole(0), window: whole(1) })),
    body: v.optional(v.unknown()),
    headers: v.optional(HEADERS),
    error: v.optional(oneOf(CONNECTION_FAULTS)),
    delay: v.optional(DELAY),
    bytesPerSecond: v.optional(whole(1)),
    times: v.optional(whole(1)),
    probability: v.optional(v.pipe(v.number(improbable), v.minValue(0, improbable), v.maxValue(1, improbable))),
    after: v.optional(whole(0)),
    every: v.optional(whole(1)),
    retryAfter: v.optional(whole(0, Number.MAX_SAFE_INTEGER, 'a whole number of seconds')),
  }),
  checkWith<GivenFault>(explainEffect),
  checkWith<GivenFault>(explainContradiction),
)

const FAILURE = 'Failed to add a fault'

/** @throws {MockError} `INVALID_FAULT` naming the invalid property. */
export function parseFault(value: unknown): ParsedFault {
  const { body, ...fault } = parseWith(FAULT, value, { failure: FAILURE, subject: 'the fault', code: 'INVALID_FAULT' })
  if (body === undefined) return fault
  try {
    // Now, so that an invalid body is reported here, and a later change of the value has no effect.
    return { ...fault, bodyText: writeBody(body, { headers: fault.headers, path: 'body' }) }
  } catch (cause) {
    throw toFaultError((cause as Error).message, cause)
  }
}

/** The counterpart of `parseFault`. */
export function toFault({ petId, bodyText, ...fault }: ParsedFault): Fault {
  const given = { ...(petId !== undefined && { petId: toPetId(petId) }), ...fault }
  if (bodyText === undefined) return given
  return { ...given, body: isText(bodyText, fault.headers) ? bodyText : parseExactJson(bodyText) }
}

function explainEffect(fault: GivenFault): string | undefined {
  const { status, statuses, error, delay, bytesPerSecond, rateLimit, body, headers, retryAfter } = fault
  const sent = status ?? statuses ?? rateLimit
  if (error !== undefined && (status ?? bytesPerSecond) !== undefined) return 'error excludes status and bytesPerSecond'
  if (statuses !== undefined && (status ?? error ?? rateLimit) !== undefined)
    return 'statuses excludes status, error and rateLimit'
  if (rateLimit !== undefined && (error ?? retryAfter) !== undefined) return 'rateLimit excludes error and retryAfter'
  if (body !== undefined && (status ?? rateLimit) === undefined) return 'body requires status or rateLimit'
  if (headers !== undefined && sent === undefined) return 'headers requires status, statuses or rateLimit'
  if (retryAfter !== undefined && sent === undefined) return 'retryAfter requires status or statuses'
  if ((sent ?? error ?? delay ?? bytesPerSecond) === undefined)
    return 'it needs status, statuses, error, delay, bytesPerSecond or rateLimit'
  // Its default body, an Error object, would be a mistake.
  if (body === undefined && status !== undefined && status < 300 && !isBodilessStatus(status))
    return `status ${status} needs a body. To let a request through, use ${LET_THROUGH} in a sequence: statuses: [503, ${LET_THROUGH}]`
  const problem = explainBody(fault)
  return problem && `it ${problem}`
}

function readStatus(value: unknown): number | undefined {
  const isStatus = value === LET_THROUGH || (Number.isInteger(value) && Number(value) >= 400 && Number(value) <= 599)
  return isStatus ? Number(value) : undefined
}

export function toFaultError(reason: string, cause?: unknown): MockError {
  return new MockError('INVALID_FAULT', `${FAILURE}: ${reason}.`, { cause })
}

/** The parts of a fault that make up its response. */
export type FaultResponse = Pick<ParsedFault, 'bodyText' | 'headers' | 'retryAfter'> & { readonly status: number }

/** The `code` by status, the first of each, without those that a profile names. */
const CODES: ReadonlyMap<number, FaultCode> = new Map(
  Object.entries(ERROR_STATUSES)
    .toReversed()
    .map(([code, status]) => [status, code as FaultCode]),
)

/** Creates the response of a fault: an Error object like the service's own, unless the fault has its own body. */
export function createFaultResponse(
  { status, bodyText, headers, retryAfter }: FaultResponse,
  { challenge, codes }: Pick<Rules, 'challenge' | 'codes'>,
): WireResponse {
  const code = codes[status as keyof ErrorCodes] ?? CODES.get(status) ?? 'fault'
  const error = JSON.stringify({ code, message: 'Response injected by a fault', status })
  return createRuleResponse({
    status,
    text: isBodilessStatus(status) ? undefined : (bodyText ?? error),
    headers: {
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...(status === 401 && challenge === 'send' && { 'www-authenticate': CHALLENGE }),
      ...headers,
    },
  })
}
