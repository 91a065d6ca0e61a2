import * as v from 'valibot'
import { OPERATIONS } from '../contract/operations.gen.ts'
import { JsonText, parseExactJson } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { CONNECTION_FAULTS, type ConnectionFaultKind } from '../http/outcome.ts'
import { object, oneOf, parseWith, readAs, whole } from '../http/schema.ts'
import { UnwritableError, writeExactJson } from '../http/write-exact-json.ts'
import { PET_KEY, type PetIdLike, type PetKey } from '../inventory/pet-id.ts'
import { DELAY, type Delay } from './clock.ts'

/** A fault to inject. Without `status` and `error`, it only delays the response. */
export interface Fault {
  /** @default all operations */
  readonly operation?: FaultOperation
  /** @default all pets, and operations without a pet */
  readonly petId?: PetIdLike
  /** The HTTP status, from 200 to 599. The body is an Error object unless `body` is set. */
  readonly status?: number
  /**
   * The response body, sent as exact JSON: bigints keep all their digits, and a value that JSON cannot represent is an
   * error. Requires `status`.
   */
  readonly body?: unknown
  readonly error?: ConnectionFaultKind
  /** The delay of the response in milliseconds. Replaces the delay of the sandbox. */
  readonly delay?: Delay | string
  /**
   * How many times the fault is triggered.
   * @default unlimited
   */
  readonly times?: number
  /**
   * The probability, from 0 to 1, that a matching request triggers the fault, drawn from the sandbox's random sequence.
   * @default 1
   */
  readonly probability?: number
  /** The value of the `Retry-After` header (RFC 9110, section 10.2.3), in seconds. Requires `status`. */
  readonly retryAfter?: number
}

/** The name of an operation. */
export type FaultOperation = (typeof OPERATIONS)[number]['id']

/** A validated fault. */
export interface ParsedFault extends Omit<Fault, 'petId' | 'delay'> {
  readonly petId?: PetKey
  readonly delay?: Delay
  /** The serialized body. */
  readonly bodyText?: JsonText
}

export const OPERATION_IDS: readonly FaultOperation[] = OPERATIONS.map(({ id }) => id)

/** The operations that do not concern a single pet. */
const PETLESS: readonly unknown[] = ['listInventory', 'listOrders'] satisfies FaultOperation[]

const FAULT = v.pipe(
  object<Omit<ParsedFault, 'bodyText'>>({
    operation: v.optional(oneOf(OPERATION_IDS)),
    petId: v.optional(PET_KEY),
    status: v.optional(whole(200, 599)),
    body: v.optional(v.unknown()),
    error: v.optional(oneOf(CONNECTION_FAULTS)),
    delay: v.optional(DELAY),
    times: v.optional(whole(1)),
    probability: v.optional(readAs(readProbability, 'a number from 0 to 1')),
    retryAfter: v.optional(whole(0, Number.MAX_SAFE_INTEGER, 'a whole number of seconds')),
  }),
  v.check(({ status, error }) => status === undefined || error === undefined, 'status and error exclude each other'),
  v.check(({ status, body }) => status !== undefined || body === undefined, 'body requires status'),
  v.check(({ status, retryAfter }) => status !== undefined || retryAfter === undefined, 'retryAfter requires status'),
  v.check(({ status, error, delay }) => (status ?? error ?? delay) !== undefined, 'it needs status, error or delay'),
  v.check(
    ({ operation, petId }) => petId === undefined || !PETLESS.includes(operation),
    ({ input }) => `petId cannot be used with ${input.operation}, which does not concern a single pet`,
  ),
)

/** @throws {MockError} `INVALID_FAULT` naming the invalid property. */
export function parseFault(value: unknown): ParsedFault {
  const fault = parseWith(FAULT, value, { failure: FAILURE, subject: 'the fault', code: 'INVALID_FAULT' })
  return { ...fault, ...(fault.body !== undefined && parseFaultBody(fault.body)) }
}

const FAILURE = 'Failed to add a fault'

function readProbability(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined
}

/**
 * Serializes the body when the fault is added, so that an invalid body is reported now and not when it is sent.
 * @throws {MockError} `INVALID_FAULT` naming the place in the body.
 */
export function parseFaultBody(body: unknown): Pick<ParsedFault, 'body' | 'bodyText'> {
  if (body instanceof JsonText) return { body: parseExactJson(body.source), bodyText: body }
  try {
    return { body, bodyText: new JsonText(writeExactJson(body, { place: 'body', isStrict: true })) }
  } catch (cause) {
    if (cause instanceof UnwritableError) throw toFaultError(cause.message, cause)
    throw cause
  }
}

export function toFaultError(reason: string, cause?: unknown): MockError {
  return new MockError('INVALID_FAULT', `${FAILURE}: ${reason}.`, { cause })
}
