import * as v from 'valibot'
import { parseExactJson } from '../../http/exact-json.ts'
import { showValue } from '../../http/quote.ts'
import { object, oneOf, parseWith, whole } from '../../http/schema.ts'
import { type PetIdLike, toPetKey } from '../../inventory/pet.ts'
import type { JournalInternals } from '../../sandbox/journal.ts'
import type { JournalEntry } from '../../sandbox/journal-entry.ts'
import { contains, HEADERS, hasHeaders, type JournalFilter, pickHeaders, STATUS } from '../../sandbox/journal-filter.ts'
import { type FaultOperation, OPERATION_IDS } from '../../sandbox/operation-selection.ts'
import { assertTarget, type Target } from './assert-target.ts'
import { type Elsewhere, explainElsewhere } from './explain-elsewhere.ts'
import { listSiblings } from './list-siblings.ts'
import { compare, type MatcherResult } from './matcher-result.ts'

/** The expected requests. */
export interface Expected {
  /** The pet that the request is about. */
  readonly petId?: PetIdLike
  /**
   * The JSON body. An object matches if it contains these properties. Asymmetric matchers such as `expect.any(Number)` may
   * stand anywhere in it.
   */
  readonly body?: unknown
  /**
   * Headers, as strings or asymmetric matchers, by their names in any case. The journal hides credentials: expect
   * `Bearer (hidden)`. Other values of such a header are refused.
   */
  readonly headers?: Readonly<Record<string, unknown>>
  /** The status of the response. */
  readonly status?: number
  /** @default at least once */
  readonly times?: number
}

const NEAREST = 3
const CUT =
  'its body is not all in the journal: it is long, or its client got the response before it had sent all of it'
/** The maximum length of an expected body in messages, in characters. */
const LONGEST_BODY = 1000

/** The matcher `toHaveReceived`. It fails if older requests were dropped, instead of guessing. */
export function toHaveReceived(
  received: Target,
  operation: FaultOperation,
  expected: Expected = {},
): MatcherResult | Promise<MatcherResult> {
  assertTarget(received, 'toHaveReceived')
  const { name, journal } = received
  const matching = journal.find(toFilter(operation, expected))
  const entries = typeof journal.entries === 'function' ? journal.entries() : journal.entries
  const { inFlight } = journal as Partial<JournalInternals>
  const elsewhere = () => findElsewhere(received, operation, expected)
  const refusedBy = () => findElsewhere(received, operation, { ...expected, status: 401 })
  return compare(matching, entries, (matching, entries) =>
    toReceivedResult({ name, matching, entries, inFlight, elsewhere, refusedBy }, operation, expected),
  )
}

/** The other sandboxes that got such a request: the code under test may use another key. */
function findElsewhere(received: Target, operation: FaultOperation, expected: Expected): string[] {
  return listSiblings(received)
    .filter(({ name }) => name !== received.name)
    .filter(({ listEntries }) =>
      listEntries()
        // A request with a wrong key is in the default sandbox, which has refused it.
        .filter(({ answer }) => expected.status !== undefined || answer?.status !== 401)
        .some((entry) => findReasons(entry, operation, expected).length === 0),
    )
    .map(({ name }) => name)
}

const EXPECTED = object<Expected>({
  // `find` checks them.
  petId: v.optional(v.custom<PetIdLike>(() => true)),
  body: v.optional(v.unknown()),
  headers: HEADERS,
  status: STATUS,
  times: v.optional(whole(0)),
})

/**
 * The search in a journal, which checks the pet and the operation.
 * @throws {MockError} `INVALID_FILTER`
 */
function toFilter(operation: FaultOperation, expected: Expected): JournalFilter {
  const refusal = {
    failure: 'Failed to search the journal',
    subject: 'the expectation',
    code: 'INVALID_FILTER',
  } as const
  const { times: _, ...filter } = parseWith(EXPECTED, expected, refusal)
  // Without an operation, the journal would find those of all.
  parseWith(oneOf(OPERATION_IDS), operation, { ...refusal, subject: 'the operation' })
  return { operation, ...filter }
}

/** The result of a search. */
interface Found extends Elsewhere {
  /** The sandbox's name. */
  readonly name: string
  /** The matching entries. */
  readonly matching: readonly JournalEntry[]
  /** All entries. */
  readonly entries: readonly JournalEntry[]
  /** Requests that are not recorded yet; `undefined` for a mock in another process. */
  readonly inFlight?: number | undefined
}

/** Compares the search result with the expectation; the message shows what was received instead. */
function toReceivedResult(
  { name, matching, entries, inFlight = 0, elsewhere, refusedBy }: Found,
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
        ...(inFlight === 0 ? [] : [`Requests still in flight: ${inFlight}. Await their responses first.`]),
        ...(matching.length === 0 ? explainElsewhere({ elsewhere, refusedBy }, name) : []),
        ...explain(entries, { operation, expected, matching }),
      ].join('\n'),
  }
}

function describe({ petId, body, headers, status }: Expected): string {
  const parts = [
    ...(petId === undefined ? [] : [`for pet ${petId}`]),
    ...(body === undefined ? [] : [`with ${showBody(body)}`]),
    ...(headers === undefined ? [] : [`with the headers ${showBody(headers)}`]),
    ...(status === undefined ? [] : [`with the response status ${status}`]),
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

function findReasons(
  entry: JournalEntry,
  operation: FaultOperation,
  { petId, body, headers, status }: Expected,
): string[] {
  return [
    ...(entry.operation === operation ? [] : [`it is ${entry.operation ?? 'no operation'}`]),
    ...(petId === undefined || String(entry.petId) === toPetKey(petId)
      ? []
      : [`it is for pet ${entry.petId ?? 'none'}`]),
    ...(body === undefined || contains(parse(entry.request.body), body)
      ? []
      : [entry.request.isCut === true ? CUT : `its body is not ${showBody(body)}`]),
    ...(headers === undefined || hasHeaders(entry, headers)
      ? []
      : [`its headers are not ${showBody(headers)} but ${showBody(pickHeaders(entry, headers))}`]),
    ...(status === undefined || entry.answer?.status === status
      ? []
      : [entry.answer === undefined ? 'it got no response' : `its response status is ${entry.answer.status}`]),
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
