import * as v from 'valibot'
import type { OperationId } from '../../contract/operations.gen.ts'
import { showValue } from '../../http/quote.ts'
import { object, oneOf, parseWith, type Schema, whole } from '../../http/schema.ts'
import type { JournalInternals } from '../../sandbox/journal.ts'
import type { JournalEntry } from '../../sandbox/journal-entry.ts'
import { type JournalFilter, type JournalSearch, parseJournalFilter } from '../../sandbox/journal-filter.ts'
import { OPERATION_IDS, type RequestMethod } from '../../sandbox/request-condition.ts'
import { assertTarget, type Target } from './assert-target.ts'
import { type Elsewhere, explainElsewhere } from './explain-elsewhere.ts'
import { listSiblings } from './list-siblings.ts'
import { compare, type MatcherResult } from './matcher-result.ts'

/** The expected requests. */
export interface Expected extends Omit<JournalFilter, 'operation' | 'after'> {
  /** @default at least once */
  readonly times?: number
}

/** Requests of an operation, or those that `method` and `path` select. */
export type ExpectedRequests =
  | OperationId
  | (Expected & ({ readonly method: RequestMethod } | { readonly path: string }))

const NEAREST = 3
/** The maximum length of an expected value in messages, in characters. */
const LONGEST_VALUE = 1000

/** The matcher `toHaveReceived`. It fails if older requests were dropped, instead of guessing. */
export function toHaveReceived(
  received: Target,
  requests: ExpectedRequests,
  expected: Expected = {},
): MatcherResult | Promise<MatcherResult> {
  assertTarget(received, 'toHaveReceived')
  const { name, journal } = received
  const { times, ...filter } = toFilter(requests, expected)
  const search = parseJournalFilter(filter, 'the expectation')
  const matching = journal.find(filter)
  const entries = typeof journal.entries === 'function' ? journal.entries() : journal.entries
  const { inFlight } = journal as Partial<JournalInternals>
  return compare(matching, entries, (matching, entries) =>
    toReceivedResult(
      { name, matching, entries, inFlight, search },
      { times, filter, ...lookElsewhere(received, filter) },
    ),
  )
}

type Filter = JournalFilter & Pick<Expected, 'times'>

const REFUSAL = { failure: 'Failed to search the journal', code: 'INVALID_FILTER' } as const

/** `parseJournalFilter` checks the values. */
const unchecked = v.optional(v.unknown()) as Schema<unknown> as Schema<never>

const EXPECTED = object<Expected>({
  method: unchecked,
  path: unchecked,
  petId: unchecked,
  status: unchecked,
  body: unchecked,
  headers: unchecked,
  times: v.optional(whole(0)),
})

/** @throws {MockError} `INVALID_FILTER` */
function toFilter(requests: ExpectedRequests, expected: Expected): Filter {
  const refusal = { ...REFUSAL, subject: 'the expectation' }
  if (typeof requests === 'object') return parseWith(EXPECTED, { ...requests, ...expected }, refusal)
  // Without an operation, the journal would find those of all.
  parseWith(oneOf(OPERATION_IDS), requests, { ...REFUSAL, subject: 'the operation' })
  return { ...parseWith(EXPECTED, expected, refusal), operation: requests }
}

/** The other sandboxes that got such a request: the code under test may use another key. */
function lookElsewhere(received: Target, filter: JournalFilter): Elsewhere {
  const find = (wanted: JournalFilter): string[] => {
    const { matches } = parseJournalFilter(wanted)
    return listSiblings(received)
      .filter(({ name }) => name !== received.name)
      .filter(({ listEntries }) =>
        listEntries()
          // A request with a wrong key is in the default sandbox, which has refused it.
          .filter(({ answer }) => wanted.status !== undefined || answer?.status !== 401)
          .some(matches),
      )
      .map(({ name }) => name)
  }
  return { elsewhere: () => find(filter), refusedBy: () => find({ ...filter, status: 401 }) }
}

/** The result of a search. */
interface Found {
  /** The sandbox's name. */
  readonly name: string
  /** The matching entries. */
  readonly matching: readonly JournalEntry[]
  /** All entries. */
  readonly entries: readonly JournalEntry[]
  /** Requests that are not recorded yet; `undefined` for a mock in another process. */
  readonly inFlight?: number | undefined
  readonly search: JournalSearch
}

interface Wanted extends Elsewhere {
  readonly times: number | undefined
  readonly filter: JournalFilter
}

/** Compares the search result with the expectation; the message shows what was received instead. */
function toReceivedResult(found: Found, { times, filter, ...others }: Wanted): MatcherResult {
  const { name, matching, inFlight = 0 } = found
  const pass = times === undefined ? matching.length > 0 : matching.length === times
  const wanted = `${describe(filter)} ${times === undefined ? 'at least once' : `${times} times`}`
  return {
    pass,
    message: () =>
      [
        `Expected the sandbox ${name} ${pass ? 'not ' : ''}to have received ${wanted}, but received it ${matching.length} times.`,
        ...(inFlight === 0 ? [] : [`Requests still in flight: ${inFlight}. Await their responses first.`]),
        ...(matching.length === 0 ? explainElsewhere(others, name) : []),
        ...listNearest(found),
      ].join('\n'),
  }
}

function describe({ operation, method, path, petId, body, headers, status }: JournalFilter): string {
  const show = (value: unknown): string => showValue(value, LONGEST_VALUE)
  const parts = [
    operation ?? `${method ?? 'a request'}`,
    path,
    petId !== undefined && `for pet ${petId}`,
    body !== undefined && `with ${show(body)}`,
    headers !== undefined && `with the headers ${show(headers)}`,
    status !== undefined && `with the response status ${status}`,
  ]
  return parts.filter((part) => typeof part === 'string').join(' ')
}

/** The closest requests, and why they do not match. */
function listNearest({ entries, matching, search }: Found): string[] {
  const ids = new Set(matching.map(({ id }) => id))
  const others = entries
    .filter(({ id }) => !ids.has(id))
    .map((entry) => ({ entry, reasons: search.explain(entry) }))
    .toSorted((a, b) => a.reasons.length - b.reasons.length || b.entry.id - a.entry.id)
  if (entries.length === 0) return ['It received no requests.']
  if (others.length === 0) return []
  const toLine = ({ entry: { request }, reasons }: (typeof others)[number]): string =>
    `  ${request.method} ${request.path} ${request.body}: ${reasons.join('; ')}`
  return ['Closest requests:', ...others.slice(0, NEAREST).map(toLine)]
}
