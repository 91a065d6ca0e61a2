import type { Bytes } from '../http/bytes.ts'
import { MockError } from '../http/mock-error.ts'
import type { SandboxEvents } from './events.ts'
import { type JournalEntry, type JournalRecord, LARGEST_EVENT_BODY, toJournalEntry } from './journal-entry.ts'
import { type JournalFilter, parseJournalFilter } from './journal-filter.ts'
import { type Har, toHar } from './to-har.ts'

/** The default number of exchanges that a journal keeps. */
export const DEFAULT_JOURNAL_SIZE = 1000

/** The requests to one sandbox and their responses. Requests to the control API are not recorded. */
export interface Journal {
  /** The recorded exchanges, oldest first. */
  readonly entries: readonly JournalEntry[]
  /**
   * The number of older exchanges that were dropped: because newer ones took their place, or because all journals together
   * had more than 20,000 and this sandbox was the least recently used one.
   */
  readonly dropped: number
  /**
   * The matching exchanges, oldest first.
   * @throws {MockError} `JOURNAL_INCOMPLETE` if dropped exchanges might have matched; use `after` to search only newer
   * exchanges. `INVALID_FILTER` for an unknown property.
   */
  find(filter?: JournalFilter): JournalEntry[]
  /**
   * The newest matching exchange, or `undefined` if there is none.
   * @throws {MockError} like `find`, if no exchange is found and a dropped one might have matched.
   */
  last(filter?: JournalFilter): JournalEntry | undefined
  /** Deletes all entries and resets `dropped`. */
  clear(): void
  /** The entries as an HTTP Archive, which browsers, proxies and other tools import. */
  export(): Har
}

interface JournalOptions {
  /** The maximum number of exchanges. */
  readonly size: number
  readonly events: Pick<SandboxEvents, 'isWatched' | 'emit'>
  /** Counts the entries of all journals; negative for dropped ones. */
  readonly countEntries: (count: number, journal: SandboxJournal) => void
  readonly findReceivers: FindReceivers
}

/** The names of the mock's sandboxes that received matching requests. */
export type FindReceivers = (filter: Omit<JournalFilter, 'body'>) => string[]

/** The journal as the service uses it. */
export class SandboxJournal implements Journal {
  /** The number of requests that are not recorded yet. */
  inFlight = 0
  readonly #options: JournalOptions
  readonly #size: number
  /**
   * The newest exchanges. Each one is written over one that was dropped: what V8 has moved to its old generation, such as
   * a Map's former table, would keep young exchanges alive and make each collection longer.
   */
  readonly #ring: (JournalRecord | undefined)[] = []
  /** The ring holds the ids `#oldestId` to `#newestId`; it is empty while `#oldestId` is `#newestId + 1`. */
  #oldestId = 1
  #newestId = 0
  /** The newest id at the last `clear()`. */
  #clearedId = 0

  constructor(options: JournalOptions) {
    this.#options = options
    this.#size = options.size
  }

  get entries(): JournalEntry[] {
    return this.#list().map((exchange) => toJournalEntry(exchange))
  }

  get dropped(): number {
    return this.#oldestId - 1 - this.#clearedId
  }

  get #count(): number {
    return this.#newestId - this.#oldestId + 1
  }

  readonly find = (filter: JournalFilter = {}): JournalEntry[] => {
    const entries = this.entries.filter(parseJournalFilter(filter).matches)
    if (this.isComplete(filter.after)) return entries
    throw toIncompleteError(this.dropped)
  }

  readonly last = (filter: JournalFilter = {}): JournalEntry | undefined => {
    const entry = this.entries.findLast(parseJournalFilter(filter).matches)
    if (entry !== undefined || this.isComplete(filter.after)) return entry
    throw toIncompleteError(this.dropped)
  }

  readonly clear = (): void => {
    this.drop()
    this.#clearedId = this.#newestId
    this.#options.events.emit({ type: 'journal-cleared' })
  }

  /** For messages: a request may have come with the key of another sandbox. */
  readonly findReceivers: FindReceivers = (filter) => this.#options.findReceivers(filter)

  readonly export = (): Har => toHar(this.entries)

  /** Drops all entries to free memory. */
  drop(): void {
    this.#options.countEntries(-this.#count, this)
    this.#oldestId = this.#newestId + 1
    this.#ring.length = 0
  }

  record(record: JournalRecord): void {
    const { events, countEntries } = this.#options
    this.#newestId += 1
    record.id = this.#newestId
    this.#ring[this.#place(record.id)] = record
    if (this.#count > this.#size) this.#oldestId += 1
    else countEntries(1, this)
    if (events.isWatched) events.emit({ type: 'exchange', entry: toJournalEntry(record, LARGEST_EVENT_BODY) })
  }

  /** Adds the response's body, which may arrive after the exchange was recorded. */
  addAnswerBody(record: JournalRecord, body: Bytes): void {
    if (record.answer !== undefined) record.answer = { ...record.answer, body }
  }

  /** The matching exchanges, oldest first, as they are kept. */
  select(filter: Omit<JournalFilter, 'body'>): JournalRecord[] {
    const { matches } = parseJournalFilter(filter)
    return this.#list().filter((exchange) => matches(toJournalEntry(exchange, 0)))
  }

  /** Whether none of the exchanges after the one with this id was dropped. */
  isComplete(after = 0): boolean {
    return this.dropped === 0 || after >= this.#oldestId - 1
  }

  /** Where in the ring. */
  #place(id: number): number {
    return id % this.#size
  }

  /** Oldest first. */
  #list(): JournalRecord[] {
    const first = this.#place(this.#oldestId)
    return [...this.#ring.slice(first), ...this.#ring.slice(0, first)].filter((exchange) => exchange !== undefined)
  }
}

export function toIncompleteError(dropped: number): MockError {
  return new MockError(
    'JOURNAL_INCOMPLETE',
    `Failed to search the journal: ${dropped} older exchanges were dropped, and some might have matched. Clear the journal earlier, pass a larger journalSize to createMock, or search with \`after\`.`,
  )
}
