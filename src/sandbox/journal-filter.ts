import { OPERATIONS } from '../contract/operations.gen.ts'
import { assertKnown } from '../http/assert-known.ts'
import { parseExactJson } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { quote } from '../http/quote.ts'
import { type PetIdLike, toPetKey } from '../inventory/pet-id.ts'
import type { FaultOperation } from './fault.ts'
import type { JournalEntry } from './journal-entry.ts'

/** Selects exchanges. All given properties must match. */
export interface JournalFilter {
  readonly operation?: FaultOperation
  readonly petId?: PetIdLike
  /** The status of the response. */
  readonly status?: number
  /** The JSON body of the request. An object matches if it has at least these properties. */
  readonly body?: unknown
  /** Matches only exchanges newer than the one with this id. */
  readonly after?: number
}

const KNOWN = ['operation', 'petId', 'status', 'body', 'after']

/** @throws {MockError} `INVALID_FILTER` naming the invalid property, `INVALID_PET` for an invalid petId. */
export function parseJournalFilter(filter: JournalFilter): (entry: JournalEntry) => boolean {
  assertFilter(filter)
  const { operation, status, body, after = 0 } = filter
  const petKey = filter.petId === undefined ? undefined : toPetKey(filter.petId)
  return (entry) =>
    entry.id > after &&
    (operation === undefined || entry.operation === operation) &&
    (petKey === undefined || (entry.petId !== undefined && String(entry.petId) === petKey)) &&
    (status === undefined || entry.answer?.status === status) &&
    (body === undefined || contains(parseBody(entry.request.body), body))
}

const OPERATION_IDS: readonly unknown[] = OPERATIONS.map(({ id }) => id)

function assertFilter(filter: JournalFilter): void {
  assertKnown(filter, { failure: 'Failed to search the journal', known: KNOWN, code: 'INVALID_FILTER' })
  const { operation, status, after } = filter
  if (operation !== undefined && !OPERATION_IDS.includes(operation))
    throw toFilterError(`operation must be one of ${OPERATION_IDS.join(', ')}, got ${quote(operation)}`)
  if (status !== undefined && !Number.isInteger(status))
    throw toFilterError(`status must be an HTTP status, got ${quote(status)}`)
  if (after !== undefined && !Number.isSafeInteger(after))
    throw toFilterError(`after must be the id of an exchange, got ${quote(after)}`)
}

function toFilterError(reason: string): MockError {
  return new MockError('INVALID_FILTER', `Failed to search the journal: ${reason}.`)
}

/** Whether a JSON value equals `wanted`, or is an object with at least its properties. */
export function contains(value: unknown, wanted: unknown): boolean {
  if (isNumber(wanted)) return isNumber(value) && value <= wanted && value >= wanted
  if (typeof wanted !== 'object' || wanted === null) return value === wanted
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(wanted)) return false
  if (Array.isArray(value) && value.length !== (wanted as unknown[]).length) return false
  return Object.entries(wanted).every(([name, each]) => contains(readOwn(value, name), each))
}

/** Ignores inherited properties such as `__proto__`. */
function readOwn(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined
}

/** `<=` and `>=` compare numbers with bigints exactly; `===` is always false for them. */
function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

function parseBody(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}
