import { parseExactJson } from '../contract/exact-json.ts'
import { MockError } from '../contract/mock-error.ts'
import { type PetIdLike, toPetKey } from '../inventory/pet-id.ts'
import type { FaultOperation } from './fault.ts'
import type { JournalEntry } from './journal-entry.ts'

/** Which exchanges to look for. All that is given must fit. */
export interface JournalFilter {
  readonly operation?: FaultOperation
  readonly petId?: PetIdLike
  /** The status of the answer. */
  readonly status?: number
  /** The request's JSON body: an object fits where it holds these properties. */
  readonly body?: unknown
  /** Only exchanges newer than the one with this id. */
  readonly after?: number
}

const KNOWN = ['operation', 'petId', 'status', 'body', 'after']

/** @throws {MockError} `INVALID_FILTER` for a property it does not know. */
export function parseJournalFilter(filter: JournalFilter): (entry: JournalEntry) => boolean {
  const unknown = Object.keys(filter).find((name) => !KNOWN.includes(name))
  if (unknown !== undefined) {
    throw new MockError(
      'INVALID_FILTER',
      `Failed to search the journal: ${unknown} is not known. Known are ${KNOWN.join(', ')}.`,
    )
  }
  const { operation, status, body, after = 0 } = filter
  const petKey = filter.petId === undefined ? undefined : toPetKey(filter.petId)
  return (entry) =>
    entry.id > after &&
    (operation === undefined || entry.operation === operation) &&
    (petKey === undefined || (entry.petId !== undefined && String(entry.petId) === petKey)) &&
    (status === undefined || entry.answer?.status === status) &&
    (body === undefined || contains(parseBody(entry.request.body), body))
}

/** Whether a JSON value is the wanted one, or an object that holds the wanted properties. */
export function contains(value: unknown, wanted: unknown): boolean {
  if (typeof wanted === 'bigint' || typeof wanted === 'number') return toExact(value) === toExact(wanted)
  if (typeof wanted !== 'object' || wanted === null) return value === wanted
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(wanted)) return false
  if (Array.isArray(value) && value.length !== (wanted as unknown[]).length) return false
  return Object.entries(wanted).every(([name, each]) => contains((value as Record<string, unknown>)[name], each))
}

function toExact(value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : typeof value === 'number' ? String(value + 0) : value
}

function parseBody(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}
