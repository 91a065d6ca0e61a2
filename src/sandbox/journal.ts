import { type Bytes, countBytes, toOwned } from '../http/bytes.ts'
import { MockError } from '../http/mock-error.ts'
import type { JournalBudget } from './budgets.ts'
import type { SandboxEvents } from './events.ts'
import { type Exchange, type JournalEntry, toEventEntry, toJournalEntry } from './journal-entry.ts'
import { type JournalFilter, parseJournalFilter } from './journal-filter.ts'

/** How many exchanges a journal keeps unless told otherwise. */
export const DEFAULT_JOURNAL_SIZE = 1000

/** What one sandbox was asked, and what it answered. Requests to the control API are not in it. */
export interface Journal {
  /** The exchanges that are kept, the oldest first. */
  readonly entries: readonly JournalEntry[]
  /**
   * How many older ones were dropped to make room: for newer ones, where this journal would hold more than 32 MB, and
   * where the journals of all sandboxes would hold more than 64 MB and this sandbox is the least recently used one.
   */
  readonly dropped: number
  /**
   * The exchanges that fit, the oldest first.
   * @throws {MockError} `JOURNAL_INCOMPLETE` where some of them may be among those that were dropped; a filter with
   * `after` asks about newer ones only. `INVALID_FILTER` for a property it does not know.
   */
  find(filter?: JournalFilter): JournalEntry[]
  /**
   * The newest exchange that fits, or `undefined` where there was none.
   * @throws {MockError} as `find` does, where none is found and one may have been dropped.
   */
  last(filter?: JournalFilter): JournalEntry | undefined
  /** Forgets everything, also that entries were dropped. */
  clear(): void
}

/** The journal with what the service needs of it. */
export interface JournalInternals extends Journal {
  record(exchange: Exchange): void
  /** The body of a request, which may come after the exchange was recorded. */
  addBody(exchange: Exchange, body: Bytes): void
  /** The same of an answer. */
  addAnswerBody(exchange: Exchange, body: readonly Bytes[]): void
  /** What is kept of the exchanges that fit, and whether others that were dropped may have fitted. */
  search(filter: JournalFilter): { entries: JournalEntry[]; isComplete: boolean }
  /** Drops all that it keeps. */
  drop(): void
  /** The same, for good: a request that is still under way leaves nothing here. */
  close(): void
}

interface JournalOptions {
  /** How many exchanges it keeps. */
  readonly size: number
  readonly events: Pick<SandboxEvents, 'isWatched' | 'emit'>
  readonly budget: JournalBudget
}

export function createJournal(options: JournalOptions): JournalInternals {
  return new RingJournal(options)
}

class RingJournal implements JournalInternals {
  readonly #size: number
  readonly #events: JournalOptions['events']
  readonly #budget: JournalBudget
  #ring: (Exchange | undefined)[] = []
  /** The id before that of the ring's first place: an empty ring is filled from its beginning, and stays short. */
  #base = 0
  /** What the exchanges of the ring weigh, in bytes. */
  #weight = 0
  #count = 0
  /** The id of the last one that was there when it was cleared; the last one that was dropped to make room. */
  #cleared = 0
  #gone = 0
  #isOpen = true

  constructor({ size, events, budget }: JournalOptions) {
    this.#size = size
    this.#events = events
    this.#budget = budget
  }

  get entries(): JournalEntry[] {
    const first = this.#firstId
    return Array.from({ length: this.#count + 1 - first }, (_, index) => toJournalEntry(this.#get(first + index)))
  }

  get dropped(): number {
    return this.#firstId - 1 - this.#cleared
  }

  find(filter: JournalFilter = {}): JournalEntry[] {
    const { entries, isComplete } = this.search(filter)
    if (isComplete) return entries
    throw toIncompleteError(this.dropped)
  }

  last(filter: JournalFilter = {}): JournalEntry | undefined {
    const { entries, isComplete } = this.search(filter)
    if (entries.length > 0 || isComplete) return entries.at(-1)
    throw toIncompleteError(this.dropped)
  }

  clear(): void {
    this.#empty()
    this.#cleared = this.#count
    this.#events.emit({ type: 'journal-cleared' })
  }

  drop(): void {
    this.#empty()
    this.#gone = this.#count
  }

  close(): void {
    this.drop()
    this.#isOpen = false
  }

  record(exchange: Exchange): void {
    if (!this.#isOpen) return
    this.#count += 1
    exchange.id = this.#count
    exchange.weight = this.#budget.weigh(exchange)
    const slot = this.#toSlot(exchange.id)
    const change = exchange.weight - (this.#ring[slot]?.weight ?? 0)
    this.#ring[slot] = exchange
    this.#spend(change)
    if (this.#events.isWatched) this.#events.emit({ type: 'exchange', entry: toEventEntry(exchange) })
  }

  addBody(exchange: Exchange, body: Bytes): void {
    const before = exchange.body?.byteLength ?? 0
    exchange.body = toOwned(body)
    if (this.#holds(exchange)) this.#grow(exchange, body.byteLength - before)
  }

  addAnswerBody(exchange: Exchange, body: readonly Bytes[]): void {
    if (exchange.answer !== undefined) exchange.answer = { ...exchange.answer, body }
    if (this.#holds(exchange)) this.#grow(exchange, countBytes(body))
  }

  search(filter: JournalFilter): { entries: JournalEntry[]; isComplete: boolean } {
    const fits = parseJournalFilter(filter)
    const isComplete = this.dropped === 0 || (filter.after ?? 0) >= this.#firstId - 1
    return { entries: this.entries.filter(fits), isComplete }
  }

  get #firstId(): number {
    return Math.max(this.#cleared, this.#gone, this.#count - this.#size) + 1
  }

  #toSlot(id: number): number {
    return (id - 1 - this.#base) % this.#size
  }

  #get(id: number): Exchange {
    return this.#ring[this.#toSlot(id)] as Exchange
  }

  #holds(exchange: Exchange): boolean {
    return exchange.id >= this.#firstId && this.#get(exchange.id) === exchange
  }

  #grow(exchange: Exchange, bytes: number): void {
    exchange.weight += bytes
    this.#spend(bytes)
  }

  /** What is too much for one journal is given up by itself, what is too much for all by others too. */
  #spend(bytes: number): void {
    this.#weight += bytes
    this.#budget.spend(bytes)
    while (this.#weight > this.#budget.largestJournal && this.#firstId < this.#count) this.#dropFirst()
  }

  #dropFirst(): void {
    const id = this.#firstId
    const { weight } = this.#get(id)
    this.#ring[this.#toSlot(id)] = undefined
    this.#gone = id
    this.#weight -= weight
    this.#budget.spend(-weight)
  }

  #empty(): void {
    this.#budget.spend(-this.#weight)
    this.#weight = 0
    this.#ring = []
    this.#base = this.#count
  }
}

export function toIncompleteError(dropped: number): MockError {
  return new MockError(
    'JOURNAL_INCOMPLETE',
    `Failed to search the journal: ${dropped} older exchanges were dropped, and the answer may lie in them. Clear the journal before the part that you ask about, give createMock a larger journalSize, or ask with \`after\`.`,
  )
}
