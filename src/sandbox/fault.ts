import { OPERATIONS } from '../contract/operations.gen.ts'
import { assertKnown } from '../http/assert-known.ts'
import { JsonText, parseExactJson } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { CONNECTION_FAULTS, type ConnectionFaultKind } from '../http/outcome.ts'
import { quote } from '../http/quote.ts'
import { UnwritableError, writeExactJson } from '../http/write-exact-json.ts'
import { type PetIdLike, type PetKey, parsePetKey } from '../inventory/pet-id.ts'
import { type Delay, parseDelay } from './clock.ts'

/** A misbehaviour to ask for. Without `status` and `error` the answer is only delayed. */
export interface Fault {
  /** @default every operation */
  readonly operation?: FaultOperation
  /** @default every pet, and operations without one */
  readonly petId?: PetIdLike
  /** The HTTP status, 200 to 599. An Error object is the body where `body` gives no other. */
  readonly status?: number
  /**
   * The body. It is sent as JSON, exactly as it is here: bigints with all their digits, and what JSON cannot say is
   * refused. Goes with `status`.
   */
  readonly body?: unknown
  readonly error?: ConnectionFaultKind
  /** How long the answer takes, instead of the sandbox's own delay, in milliseconds. */
  readonly delay?: Delay | string
  /**
   * How many times it strikes.
   * @default without end
   */
  readonly times?: number
  /**
   * How often it strikes of the times it could, from 0 to 1, drawn from the sandbox's random sequence.
   * @default 1
   */
  readonly probability?: number
  /** The seconds of a `Retry-After` header (RFC 9110, section 10.2.3). Goes with `status`. */
  readonly retryAfter?: number
}

/** The name of an operation. */
export type FaultOperation = (typeof OPERATIONS)[number]['id']

/** A fault, read. */
export interface ParsedFault extends Omit<Fault, 'petId' | 'delay'> {
  readonly petId?: PetKey
  readonly delay?: Delay
  /** The body as it is sent. */
  readonly bodyText?: JsonText
}

const KNOWN = ['operation', 'petId', 'status', 'body', 'error', 'delay', 'times', 'probability', 'retryAfter']

/** @throws {MockError} `INVALID_FAULT` naming the property. */
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
    wanted: 'an int64 that can be told exactly',
    holds: (value) => parsePetKey(value) !== undefined,
  },
  status: { wanted: 'a whole number from 200 to 599', holds: isWholeIn(200, 599) },
  error: {
    wanted: `one of ${CONNECTION_FAULTS.join(', ')}`,
    holds: (value) => CONNECTION_FAULTS.includes(value as ConnectionFaultKind),
  },
  times: { wanted: 'a whole number from 1 on', holds: isWholeIn(1, Number.MAX_SAFE_INTEGER) },
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
  if (body !== undefined && status === undefined) throw toFaultError('body goes with status')
  if (retryAfter !== undefined && status === undefined) throw toFaultError('retryAfter goes with status')
  if (status === undefined && error === undefined && delay === undefined)
    throw toFaultError('it needs status, error or delay')
  if (petId !== undefined && (operation === 'listInventory' || operation === 'listOrders')) {
    throw toFaultError(`petId does not go with ${operation}, which is about no single pet`)
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
 * Written when the fault is added: what JSON cannot say is refused here, and not when the fault strikes.
 * @throws {MockError} `INVALID_FAULT` naming the place.
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
