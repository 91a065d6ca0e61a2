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
  dropped = 0
  readonly #options: JournalOptions
  /** The newest exchanges, oldest first. In V8, dropping the oldest of 10,000 takes less than 1 µs, of 100,000 some 20 µs. */
  #records: JournalRecord[] = []
  #newestId = 0

  constructor(options: JournalOptions) {
    this.#options = options
  }

  get entries(): JournalEntry[] {
    return this.#records.map((exchange) => toJournalEntry(exchange))
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
    this.dropped = 0
    this.#options.events.emit({ type: 'journal-cleared' })
  }

  /** For messages: a request may have come with the key of another sandbox. */
  readonly findReceivers: FindReceivers = (filter) => this.#options.findReceivers(filter)

  readonly export = (): Har => toHar(this.entries)

  /** Drops all entries to free memory. */
  drop(): void {
    this.#options.countEntries(-this.#records.length, this)
    this.dropped += this.#records.length
    this.#records = []
  }

  record(record: JournalRecord): void {
    const { size, events, countEntries } = this.#options
    this.#newestId += 1
    record.id = this.#newestId
    this.#records.push(record)
    if (this.#records.length > size) {
      this.#records.shift()
      this.dropped += 1
    } else countEntries(1, this)
    if (events.isWatched) events.emit({ type: 'exchange', entry: toJournalEntry(record, LARGEST_EVENT_BODY) })
  }

  /** Adds the response's body, which may arrive after the exchange was recorded. */
  addAnswerBody(record: JournalRecord, body: Bytes): void {
    if (record.answer !== undefined) record.answer = { ...record.answer, body }
  }

  /** The matching exchanges, oldest first, as they are kept. */
  select(filter: Omit<JournalFilter, 'body'>): JournalRecord[] {
    const { matches } = parseJournalFilter(filter)
    return this.#records.filter((exchange) => matches(toJournalEntry(exchange, 0)))
  }

  /** Whether none of the exchanges after the one with this id was dropped. */
  isComplete(after = 0): boolean {
    return this.dropped === 0 || after >= this.#newestId - this.#records.length
  }
}

export function toIncompleteError(dropped: number): MockError {
  return new MockError(
    'JOURNAL_INCOMPLETE',
    `Failed to search the journal: ${dropped} older exchanges were dropped, and some might have matched. Clear the journal earlier, pass a larger journalSize to createMock, or search with \`after\`.`,
  )
}
