import * as v from 'valibot'
import type { RemoteMock } from '../client/connect-mock.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import { MockError } from '../http/mock-error.ts'
import { quote, showValue } from '../http/quote.ts'
import { object, oneOf, parseWith, type Schema, whole } from '../http/schema.ts'
import { type PetIdLike, toPetKey } from '../inventory/pet.ts'
import { QUANTITY } from '../inventory/stock-update.ts'
import type { SandboxJournal } from '../sandbox/journal.ts'
import type { JournalEntry } from '../sandbox/journal-entry.ts'
import { type JournalFilter, type JournalSearch, parseJournalFilter } from '../sandbox/journal-filter.ts'
import { OPERATION_IDS, type RequestMethod } from '../sandbox/rule.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { SIBLINGS, type Sibling } from '../sandbox/sandboxes.ts'

/** What the matchers take: a mock or a sandbox, in this process or elsewhere. */
export type Target = Pick<Sandbox | RemoteMock, 'name' | 'inventory' | 'journal'>

/** The result of a matcher. Vitest, Jest and Playwright Test share this shape. */
export interface MatcherResult {
  readonly pass: boolean
  message(): string
}

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
  const { inFlight } = journal as Partial<SandboxJournal>
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
  if (typeof requests === 'object' && requests !== null && ('method' in requests || 'path' in requests))
    return parseWith(EXPECTED, { ...requests, ...expected }, refusal)
  // Without an operation, the journal would find those of all.
  const operation = parseWith(oneOf(OPERATION_IDS), requests, { ...REFUSAL, subject: 'the operation' })
  return { ...parseWith(EXPECTED, expected, refusal), operation }
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

/** Lookups of the other sandboxes of the same mock. */
interface Elsewhere {
  /** The names of those that received such a request. */
  elsewhere(): readonly string[]
  /** The names of those that responded to such a request with a 401, as the default one does for a wrong API key. */
  refusedBy(): readonly string[]
}

const MOST_NAMES = 3

/** Explains that the code under test may use another API key. */
function explainElsewhere({ elsewhere, refusedBy }: Elsewhere, own: string): string[] {
  const question = `Does the code under test use the API key of the sandbox ${own}?`
  const names = elsewhere()
  if (names.length > 0) return [`Received by the sandbox ${listNames(names)}. ${question}`]
  const refusing = refusedBy()
  if (refusing.length > 0) return [`The sandbox ${listNames(refusing)} refused such a request with a 401. ${question}`]
  return []
}

function listNames(names: readonly string[]): string {
  return names.slice(0, MOST_NAMES).join(', ') + (names.length > MOST_NAMES ? ' and others' : '')
}

/** What a sandbox of the same mock received. */
interface SiblingRequests {
  readonly name: string
  /** Without those from before `hideEarlier`. */
  listEntries(): readonly JournalEntry[]
}

const HIDDEN_UNTIL = Symbol.for('petstore-mock.siblings-hidden-until')

interface WithSiblings {
  readonly [SIBLINGS]?: () => Iterable<Sibling>
  /** By journal and not by name: the ids of a sandbox that was removed start again. */
  readonly [HIDDEN_UNTIL]?: ReadonlyMap<object, number>
}

/** The sandboxes of the same mock, with the one that is given. None for a mock in another process. */
function listSiblings(sandbox: object): readonly SiblingRequests[] {
  const { [SIBLINGS]: list, [HIDDEN_UNTIL]: hidden } = sandbox as WithSiblings
  return Array.from(list?.() ?? [], ({ name, journal }) => ({
    name,
    listEntries: () => journal.entries.filter(({ id }) => id > (hidden?.get(journal) ?? 0)),
  }))
}

/** Hides what the siblings have received so far, because a test that starts now is not about it. */
export function hideEarlier(sandbox: object): void {
  const { [SIBLINGS]: list } = sandbox as WithSiblings
  const newest = Array.from(list?.() ?? [], ({ journal }) => [journal, journal.newestId] as const)
  Object.assign(sandbox, { [HIDDEN_UNTIL]: new Map(newest) })
}

/** The matcher `toHaveStock`. */
export function toHaveStock(
  this: unknown,
  received: Target,
  petId: PetIdLike,
  quantity: number,
): MatcherResult | Promise<MatcherResult> {
  assertTarget(received, 'toHaveStock')
  const { inventory, journal } = received
  const entries = typeof journal.entries === 'function' ? journal.entries() : journal.entries
  return compare(inventory.get(petId), entries, (pet, entries) => {
    const result = toStockResult(pet?.quantity, { petId, quantity, isNot: isNegated(this) })
    return { ...result, message: () => `${result.message()}${describeUpdate(entries, petId)}` }
  })
}

/** Often the update was refused, or used the key of another sandbox. */
function describeUpdate(entries: readonly JournalEntry[], petId: PetIdLike): string {
  const updates = entries.filter(
    (entry) => entry.operation === 'updateInventory' && String(entry.petId) === toPetKey(petId),
  )
  const last = updates.at(-1)
  if (last === undefined) return ' This sandbox received no update of it.'
  return ` Its last update, ${last.request.body}, got ${last.answer === undefined ? 'no response' : `a ${last.answer.status}`}.`
}

/** The expected stock. */
interface ExpectedStock {
  readonly petId: PetIdLike
  readonly quantity: number
  /** With `not`. */
  readonly isNot: boolean
}

/**
 * @param stock `undefined` if the pet does not exist. That fails with `not`, too: the id is probably wrong.
 * @throws {MockError} `INVALID_OPTION` for a quantity that no pet can have, such as a string.
 */
function toStockResult(stock: number | undefined, { petId, quantity, isNot }: ExpectedStock): MatcherResult {
  parseWith(QUANTITY, quantity, { failure: 'Failed to compare a stock', subject: 'the quantity' })
  const pass = stock === undefined ? isNot : stock === quantity
  const missing = `it is not there.${isNot ? ` To expect no pet, use inventory.get(${petId}).` : ''}`
  const found = stock === undefined ? missing : `it has ${stock}.`
  return { pass, message: () => `Expected pet ${petId} ${pass ? 'not ' : ''}to have a stock of ${quantity}: ${found}` }
}

/** @param state What the runner passes to a matcher as `this`. */
function isNegated(state: unknown): boolean {
  return (state as { readonly isNot?: unknown } | undefined)?.isNot === true
}

/**
 * Checks the value that `expect` got. Without this, `.not` would pass for a value that cannot be searched.
 * @throws {MockError} `INVALID_OPTION` for anything but a mock or a sandbox.
 */
function assertTarget(received: unknown, matcher: string): void {
  const { journal, inventory } = (received ?? {}) as Record<string, Record<string, unknown> | undefined>
  if (typeof journal?.['find'] === 'function' && typeof inventory?.['get'] === 'function') return
  throw new MockError(
    'INVALID_OPTION',
    `Failed to run ${matcher}: expect() must get a mock or a sandbox, such as expect(createMock()), got ${quote(received)}.`,
  )
}

/** Compares values of a mock in this process at once, and those of a mock elsewhere when they have arrived. */
function compare<One, Other>(
  one: One | Promise<One>,
  other: Other | Promise<Other>,
  toResult: (one: One, other: Other) => MatcherResult,
): MatcherResult | Promise<MatcherResult> {
  if (!(one instanceof Promise || other instanceof Promise)) return toResult(one, other)
  return Promise.all([one, other]).then(([first, second]) => toResult(first, second))
}
