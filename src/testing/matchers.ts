import * as v from 'valibot'
import type { RemoteMock } from '../client/connect-mock.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import type { Awaitable } from '../http/awaitable.ts'
import { isJsonObject, isPlain } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { quote, showValue } from '../http/quote.ts'
import { object, oneOf, parseWith, type Schema, whole } from '../http/schema.ts'
import { type PetIdLike, QUANTITY, toPetKey } from '../inventory/pet.ts'
import { OPERATION_IDS, type RequestMethod } from '../sandbox/condition.ts'
import type { SandboxJournal } from '../sandbox/journal.ts'
import type { JournalEntry } from '../sandbox/journal-entry.ts'
import { type JournalFilter, type JournalSearch, parseJournalFilter } from '../sandbox/journal-filter.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

/** What the matchers take: a mock or a sandbox, in this process or elsewhere. */
export type Target = Pick<Sandbox | RemoteMock, 'name' | 'inventory' | 'journal' | 'faults'>

/** The result of a matcher. Vitest, Jest and Playwright Test share this shape. */
export type MatcherResult = { readonly pass: boolean; message(): string }

/** The expected requests. */
export interface Expected extends Omit<JournalFilter, 'operation' | 'after'> {
  /** @default at least once */
  readonly times?: number
}

/** Requests of an operation, or those that `method` and `path` select. */
export type ExpectedRequests =
  | OperationId
  | (Expected & ({ readonly method: RequestMethod } | { readonly path: string }))

const MOST_NAMED = 3
/** The maximum length of an expected value in messages, in characters. */
const LONGEST_VALUE = 1000

/** The matcher `toHaveReceived`. It fails if older requests were dropped, instead of guessing. */
export function toHaveReceived(
  this: unknown,
  received: Target,
  requests: ExpectedRequests,
  expected: Expected = {},
): MatcherResult | Promise<MatcherResult> {
  assertTarget(received, 'toHaveReceived')
  const { name, journal } = received
  const { times, ...filter } = adaptMatchers(toFilter(requests, expected), this)
  const search = parseJournalFilter(filter, 'the expectation')
  // Known of a mock in this process alone.
  const { inFlight = 0 } = journal as Partial<SandboxJournal>
  const toTimes = (count: number): string => (count === 1 ? 'once' : `${count} times`)
  return compare(journal.find(filter), listEntries(received, this), (matching, entries) => {
    const pass = times === undefined ? matching.length > 0 : matching.length === times
    const wanted = `${describe(filter)} ${times === undefined ? 'at least once' : toTimes(times)}`
    const count = `${pass ? 'not ' : ''}to have received ${wanted}, but received it ${toTimes(matching.length)}.`
    const message = (): string =>
      [
        `Expected the sandbox ${name} ${count}`,
        ...(inFlight === 0 ? [] : [`Requests still in flight: ${inFlight}. Await their responses first.`]),
        ...(entries.length === 0 ? [explainNone(received)] : listNearest(entries, search)),
      ].join('\n')
    return { pass, message }
  })
}

/** For the message, which nobody reads if the matcher is called again. Elsewhere, the journal may be long. */
function listEntries({ journal }: Target, context: unknown): Awaitable<readonly JournalEntry[]> {
  if (typeof journal.entries !== 'function') return journal.entries
  return (context as { isPolling?: boolean } | undefined)?.isPolling ? [] : journal.entries()
}

const REFUSAL = { failure: 'Failed to search the journal', code: 'INVALID_FILTER' } as const

/** `parseJournalFilter` checks the values. */
const ANY = v.optional(v.unknown()) as Schema<unknown> as Schema<never>
const EXPECTED = object<Expected>({
  method: ANY,
  path: ANY,
  petId: ANY,
  status: ANY,
  body: ANY,
  headers: ANY,
  times: v.optional(whole(0)),
})

/** @throws {MockError} `INVALID_FILTER` */
function toFilter(requests: ExpectedRequests, expected: Expected): JournalFilter & Pick<Expected, 'times'> {
  const isByPath = typeof requests === 'object' && requests !== null && ('method' in requests || 'path' in requests)
  const given = isByPath ? { ...requests, ...expected } : expected
  const filter = parseWith(EXPECTED, given, { ...REFUSAL, subject: 'the expectation' })
  if (isByPath) return filter
  // Without an operation, the journal would find those of all.
  return { ...filter, operation: parseWith(oneOf(OPERATION_IDS), requests, { ...REFUSAL, subject: 'the operation' }) }
}

/** bun's own matchers, such as `expect.any(Number)`, can only be compared by the `equals` of its context. */
function adaptMatchers<Value>(wanted: Value, context: unknown): Value {
  if (!('Bun' in globalThis)) return wanted
  const bun = context as { equals(value: unknown, wanted: unknown): boolean }
  if (Object.prototype.toString.call(wanted).startsWith('[object Expect'))
    return { asymmetricMatch: (value: unknown) => bun.equals(value, wanted), toString: () => String(wanted) } as Value
  if (!Array.isArray(wanted) && !(isJsonObject(wanted) && isPlain(wanted))) return wanted
  const members = Object.entries(wanted).map(([name, each]) => [name, adaptMatchers(each, context)])
  return (Array.isArray(wanted) ? members.map(([, each]) => each) : Object.fromEntries(members)) as Value
}

function describe({ operation, method, path, petId, body, headers, status }: JournalFilter): string {
  const part = (words: string, value: unknown): string =>
    value === undefined ? '' : words + (typeof value === 'object' ? showValue(value, LONGEST_VALUE) : value)
  const target = `${operation ?? method ?? 'a request'}${part(' ', path)}${part(' for pet ', petId)}${part(' with ', body)}`
  return `${target}${part(' with the headers ', headers)}${part(' with the response status ', status)}`
}

function explainNone({ name, journal }: Target): string {
  const way = 'Does anything answer requests with this mock, such as interceptRequests() or serve()?'
  const key = `Does the code under test use the API key of the sandbox ${name}?`
  return `It received no requests. Is the request awaited? ${way} ${key}${listReceivers(journal, {})}`
}

/** Other sandboxes that received matching requests. Known of a mock in this process alone. */
function listReceivers(journal: Target['journal'], filter: JournalFilter): string {
  const names = (journal as Partial<SandboxJournal>).findReceivers?.(filter) ?? []
  if (names.length === 0) return ''
  return ` Others did: ${names.slice(0, MOST_NAMED).join(', ')}${names.length > MOST_NAMED ? ', …' : ''}.`
}

/** The closest requests, and why they do not match. */
function listNearest(entries: readonly JournalEntry[], search: JournalSearch): string[] {
  const lines = entries
    .map((entry) => ({ ...entry, reasons: search.explain(entry) }))
    .filter(({ reasons }) => reasons.length > 0)
    .toSorted((a, b) => a.reasons.length - b.reasons.length || b.id - a.id)
    .slice(0, MOST_NAMED)
    .map(({ request, reasons }) => `  ${request.method} ${request.path} ${request.body}: ${reasons.join('; ')}`)
  return lines.length === 0 ? [] : ['Closest requests:', ...lines]
}

/**
 * The matcher `toHaveStock`.
 * @param this What the runner passes to a matcher.
 * @throws {MockError} `INVALID_OPTION` for a quantity that no pet can have, such as a string.
 */
export function toHaveStock(
  this: unknown,
  received: Target,
  petId: PetIdLike,
  quantity: number,
): MatcherResult | Promise<MatcherResult> {
  assertTarget(received, 'toHaveStock')
  parseWith(QUANTITY, quantity, { failure: 'Failed to compare a stock', subject: 'the quantity' })
  const { isNot = false } = (this ?? {}) as { readonly isNot?: boolean }
  return compare(received.inventory.get(petId), listEntries(received, this), (pet, entries) => {
    // A pet that does not exist fails with `not`, too: the id is probably wrong.
    const pass = pet === undefined ? isNot : pet.quantity === quantity
    const missing = `it is not there.${isNot ? ` To expect no pet, use inventory.get(${petId}).` : ''}`
    const found = pet === undefined ? missing : `it has ${pet.quantity}.`
    const wanted = `Expected pet ${petId} ${pass ? 'not ' : ''}to have a stock of ${quantity}`
    return { pass, message: () => `${wanted}: ${found}${describeUpdate(entries, petId, received)}` }
  })
}

/** The matcher `toHaveUsedFaults`. A fault that was triggered once is used, however often it still can be. */
export function toHaveUsedFaults(received: Target): MatcherResult | Promise<MatcherResult> {
  assertTarget(received, 'toHaveUsedFaults')
  return compare(received.faults.list(), undefined, (faults) => {
    const unused = faults.filter(({ used }) => used === 0)
    const pass = unused.length === 0
    const lines = unused.map(({ id, used: _, ...fault }) => `\n  fault ${id}: ${showValue(fault, LONGEST_VALUE)}`)
    const used = faults.length === 0 ? 'it has none.' : 'every fault was triggered.'
    const found = pass ? used : `these were never triggered:${lines.join('')}`
    const wanted = `Expected the sandbox ${received.name} ${pass ? 'not ' : ''}to have used its faults`
    return { pass, message: () => `${wanted}, but ${found}` }
  })
}

/**
 * The matchers for the `expect` of a runner, which have no other dependency: `expect.extend(matchers)` in Jest and bun.
 * @example
 * expect.extend(matchers)
 * expect(mock).toHaveReceived('updateInventory', { petId: 1, times: 1 })
 */
export const matchers = { toHaveReceived, toHaveStock, toHaveUsedFaults } as const

/** The types of the matchers. `R` is what those of the runner return, and `T` the type of what `expect` got. */
export type MockMatchers<R, T = unknown> = {
  readonly [Name in keyof typeof matchers]: (
    ...expected: Parameters<(typeof matchers)[Name]> extends [Target, ...infer Rest] ? Rest : never
  ) => T extends RemoteMock ? Promise<void> : R
}

/** An option of the fixtures. */
export interface FaultOptions {
  /**
   * Fails a test that passes although a fault was never triggered, and names the fault.
   * @default false
   */
  readonly failOnUnusedFaults?: boolean
}

/** @internal */
export async function assertFaultsUsed(target: Target, advice = ''): Promise<void> {
  const { pass, message } = await toHaveUsedFaults(target)
  if (!pass) throw new Error(message() + advice)
}

/** Often the update was refused, or used the key of another sandbox. */
function describeUpdate(entries: readonly JournalEntry[], petId: PetIdLike, { journal }: Target): string {
  const last = entries.findLast(
    (entry) => entry.operation === 'updateInventory' && String(entry.petId) === toPetKey(petId),
  )
  if (last === undefined) {
    const others = listReceivers(journal, { operation: 'updateInventory', petId })
    return ` This sandbox received no update of it. Is the request awaited?${others}`
  }
  return ` Its last update, ${last.request.body}, got ${last.answer === undefined ? 'no response' : `a ${last.answer.status}`}.`
}

/**
 * Checks the value that `expect` got. Without this, `.not` would pass for a value that cannot be searched.
 * @throws {MockError} `INVALID_OPTION` for anything but a mock or a sandbox.
 */
function assertTarget(received: unknown, matcher: string): void {
  const { journal, inventory } = (received ?? {}) as Record<string, Record<string, unknown> | undefined>
  if (typeof journal?.['find'] === 'function' && typeof inventory?.['get'] === 'function') return
  const sentence = `Failed to run ${matcher}: expect() must get a mock or a sandbox, such as expect(createMock()), got ${quote(received)}.`
  throw new MockError('INVALID_OPTION', sentence)
}

/** Compares values of a mock in this process at once, and those of a mock elsewhere when they have arrived. */
function compare<One, Other>(
  one: Awaitable<One>,
  other: Awaitable<Other>,
  toResult: (one: One, other: Other) => MatcherResult,
): Awaitable<MatcherResult> {
  if (!(one instanceof Promise || other instanceof Promise)) return toResult(one, other)
  return Promise.all([one, other]).then(([first, second]) => toResult(first, second))
}
