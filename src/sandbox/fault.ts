import { OPERATIONS } from '../contract/operations.gen.ts'
import { assertKnown } from '../http/assert-known.ts'
import { JsonText, parseExactJson } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { CONNECTION_FAULTS, type ConnectionFaultKind } from '../http/outcome.ts'
import { quote } from '../http/quote.ts'
import { UnwritableError, writeExactJson } from '../http/write-exact-json.ts'
import { type PetIdLike, type PetKey, parsePetKey } from '../inventory/pet-id.ts'
import { type Delay, parseDelay } from './clock.ts'

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

const KNOWN = ['operation', 'petId', 'status', 'body', 'error', 'delay', 'times', 'probability', 'retryAfter']

/** @throws {MockError} `INVALID_FAULT` naming the invalid property. */
export function parseFault(value: unknown): ParsedFault {
  assertKnown(value, { failure: 'Failed to add a fault', known: KNOWN, code: 'INVALID_FAULT' })
  const fault = value as Record<keyof Fault, unknown>
  assertTogether(fault)
  const { petId, delay, body, ...rest } = fault
  for (const [name, rule] of Object.entries(RULES)) {
    const given = fault[name as keyof Fault]
    if (given !== undefined && !rule.holds(given))
      throw toFaultError(`${name} must be ${rule.wanted}, got ${quote(given)}`)
  }
  return {
    ...(rest as Omit<Fault, 'petId' | 'delay' | 'body'>),
    ...(petId !== undefined && { petId: parsePetKey(petId) as PetKey }),
    ...(delay !== undefined && { delay: parseFaultDelay(delay) }),
    ...(body !== undefined && parseFaultBody(body)),
  }
}

const OPERATION_IDS: readonly string[] = OPERATIONS.map(({ id }) => id)

const RULES: Readonly<Record<string, { wanted: string; holds(value: unknown): boolean }>> = {
  operation: {
    wanted: `one of ${OPERATION_IDS.join(', ')}`,
    holds: (value) => OPERATION_IDS.includes(value as string),
  },
  petId: {
    wanted: 'an exact int64',
    holds: (value) => parsePetKey(value) !== undefined,
  },
  status: { wanted: 'a whole number from 200 to 599', holds: isWholeIn(200, 599) },
  error: {
    wanted: `one of ${CONNECTION_FAULTS.join(', ')}`,
    holds: (value) => CONNECTION_FAULTS.includes(value as ConnectionFaultKind),
  },
  times: { wanted: 'an integer of 1 or more', holds: isWholeIn(1, Number.MAX_SAFE_INTEGER) },
  probability: {
    wanted: 'a number from 0 to 1',
    holds: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  },
  retryAfter: { wanted: 'a whole number of seconds', holds: isWholeIn(0, Number.MAX_SAFE_INTEGER) },
}

function assertTogether({
  status,
  error,
  body,
  retryAfter,
  delay,
  operation,
  petId,
}: Record<keyof Fault, unknown>): void {
  if (status !== undefined && error !== undefined) throw toFaultError('status and error exclude each other')
  if (body !== undefined && status === undefined) throw toFaultError('body requires status')
  if (retryAfter !== undefined && status === undefined) throw toFaultError('retryAfter requires status')
  if (status === undefined && error === undefined && delay === undefined)
    throw toFaultError('it needs status, error or delay')
  if (petId !== undefined && (operation === 'listInventory' || operation === 'listOrders')) {
    throw toFaultError(`petId cannot be used with ${operation}, which does not concern a single pet`)
  }
}

function parseFaultDelay(delay: unknown): Delay {
  try {
    return parseDelay(delay, 'delay')
  } catch (cause) {
    throw toFaultError((cause as Error).message, cause)
  }
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

function isWholeIn(min: number, max: number): (value: unknown) => boolean {
  return (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max
}

export function toFaultError(reason: string, cause?: unknown): MockError {
  return new MockError('INVALID_FAULT', `Failed to add a fault: ${reason}.`, { cause })
}
