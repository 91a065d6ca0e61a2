import * as v from 'valibot'
import { parseExactJson } from '../../http/exact-json.ts'
import { showValue } from '../../http/quote.ts'
import { object, parseWith, whole } from '../../http/schema.ts'
import { type PetIdLike, toPetKey } from '../../inventory/pet-id.ts'
import type { FaultOperation } from '../../sandbox/fault.ts'
import type { JournalEntry } from '../../sandbox/journal-entry.ts'
import { contains, type JournalFilter } from '../../sandbox/journal-filter.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { MatcherResult } from './matcher-result.ts'

/** The expected requests. */
export interface Expected {
  /** The pet that the request is about. */
  readonly petId?: PetIdLike
  /** The JSON body. An object matches if it contains these properties. */
  readonly body?: unknown
  /** @default at least once */
  readonly times?: number
}

const NEAREST = 3
/** The maximum length of an expected body in messages, in characters. */
const LONGEST_BODY = 1000

/** The matcher `toHaveReceived`. It fails if older requests were dropped, instead of guessing. */
export function toHaveReceived(
  received: Pick<Sandbox, 'journal' | 'name'>,
  operation: FaultOperation,
  expected: Expected = {},
): MatcherResult {
  const { name, journal } = received
  const matching = journal.find(toFilter(operation, expected))
  return toReceivedResult({ name, matching, entries: journal.entries }, operation, expected)
}

const EXPECTED = object<Expected>({
  petId: v.optional(v.custom<PetIdLike>(() => true)),
  body: v.optional(v.unknown()),
  times: v.optional(whole(0)),
})

/**
 * The search in a journal, which checks the pet and the operation.
 * @throws {MockError} `INVALID_FILTER`
 */
export function toFilter(operation: FaultOperation, expected: Expected): JournalFilter {
  const refusal = {
    failure: 'Failed to search the journal',
    subject: 'the expectation',
    code: 'INVALID_FILTER',
  } as const
  const { times: _, ...filter } = parseWith(EXPECTED, expected, refusal)
  return { operation, ...filter }
}

/** The result of a search. */
export interface Found {
  /** The sandbox's name. */
  readonly name: string
  /** The matching entries. */
  readonly matching: readonly JournalEntry[]
  /** All entries. */
  readonly entries: readonly JournalEntry[]
}

/** Compares the search result with the expectation; the message shows what was received instead. */
export function toReceivedResult(
  { name, matching, entries }: Found,
  operation: FaultOperation,
  { times, ...expected }: Expected,
): MatcherResult {
  const pass = times === undefined ? matching.length > 0 : matching.length === times
  const wanted = `${operation}${describe(expected)} ${times === undefined ? 'at least once' : `${times} times`}`
  return {
    pass,
    message: () =>
      [
        `Expected the sandbox ${name} ${pass ? 'not ' : ''}to have received ${wanted}, but received it ${matching.length} times.`,
        ...explain(entries, { operation, expected, matching }),
      ].join('\n'),
  }
}

function describe({ petId, body }: Expected): string {
  const parts = [
    ...(petId === undefined ? [] : [`for pet ${petId}`]),
    ...(body === undefined ? [] : [`with ${showBody(body)}`]),
  ]
  return parts.map((part) => ` ${part}`).join('')
}

/** The closest requests, and why they do not match. */
function explain(
  entries: readonly JournalEntry[],
  {
    operation,
    expected,
    matching,
  }: { operation: FaultOperation; expected: Expected; matching: readonly JournalEntry[] },
): string[] {
  const ids = new Set(matching.map(({ id }) => id))
  const others = entries
    .filter(({ id }) => !ids.has(id))
    .map((entry) => ({ entry, reasons: findReasons(entry, operation, expected) }))
    .toSorted((a, b) => a.reasons.length - b.reasons.length || b.entry.id - a.entry.id)
  if (entries.length === 0) return ['It received no requests.']
  if (others.length === 0) return []
  return [
    'Closest requests:',
    ...others
      .slice(0, NEAREST)
      .map(
        ({ entry: { request }, reasons }) =>
          `  ${request.method} ${request.path} ${request.body}: ${reasons.join('; ')}`,
      ),
  ]
}

function findReasons(entry: JournalEntry, operation: FaultOperation, { petId, body }: Expected): string[] {
  return [
    ...(entry.operation === operation ? [] : [`it is ${entry.operation ?? 'no operation'}`]),
    ...(petId === undefined || String(entry.petId) === toPetKey(petId)
      ? []
      : [`it is for pet ${entry.petId ?? 'none'}`]),
    ...(body === undefined || contains(parse(entry.request.body), body) ? [] : [`its body is not ${showBody(body)}`]),
  ]
}

function parse(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return text
  }
}

function showBody(body: unknown): string {
  return showValue(body, LONGEST_BODY)
}
