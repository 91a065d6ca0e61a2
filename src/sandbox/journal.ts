import { type Bytes, toOwned } from '../http/bytes.ts'
import { MockError } from '../http/mock-error.ts'
import type { SandboxEvents } from './events.ts'
import { type Exchange, type JournalEntry, toEventEntry, toJournalEntry } from './journal-entry.ts'
import { type JournalFilter, parseJournalFilter } from './journal-filter.ts'
import type { JournalMemory } from './memory.ts'

/** The default number of exchanges that a journal keeps. */
export const DEFAULT_JOURNAL_SIZE = 1000

/** The requests to one sandbox and their responses. Requests to the control API are not recorded. */
export interface Journal {
  /** The recorded exchanges, oldest first. */
  readonly entries: readonly JournalEntry[]
  /**
   * The number of older exchanges that were dropped: because newer ones took their place, because this journal exceeded
   * 32 MB, or because all journals together exceeded 64 MB and this sandbox was the least recently used one.
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
}

/** The journal as the service uses it internally. */
export interface JournalInternals extends Journal {
  /** The id of the newest exchange, also after it was dropped; 0 before the first one. */
  readonly newestId: number
  /** The number of requests that are not recorded yet. */
  inFlight: number
  record(exchange: Exchange): void
  /** Adds the request's body, once. Over HTTP, it may arrive after the exchange was recorded. */
  addBody(exchange: Exchange, body: Bytes): void
  /** Adds the response's body, which may arrive after the exchange was recorded. */
  addAnswerBody(exchange: Exchange, body: Bytes): void
  /** The ids of the matching exchanges, whose bodies are not looked at. */
  findIds(filter: Omit<JournalFilter, 'body'>): number[]
  /** `undefined` if the exchange was dropped. */
  get(id: number): JournalEntry | undefined
  /** Whether none of the exchanges after the one with this id was dropped. */
  isComplete(after?: number): boolean
  /** Drops all entries to free memory. */
  drop(): void
}

interface JournalOptions {
  /** The maximum number of exchanges. */
  readonly size: number
  readonly events: Pick<SandboxEvents, 'isWatched' | 'emit'>
  readonly memory: JournalMemory
}

export function createJournal(options: JournalOptions): JournalInternals {
  return new RingJournal(options)
}

class RingJournal implements JournalInternals {
  inFlight = 0
  readonly #size: number
  readonly #events: JournalOptions['events']
  readonly #memory: JournalMemory
  #ring: (Exchange | undefined)[] = []
  /** The newest id when the ring was emptied. Slots are numbered from here, so that an emptied ring starts short. */
  #base = 0
  /** The memory of the exchanges in the ring, in bytes. */
  #weight = 0
  #count = 0
  /** The newest id at the last `clear()`. */
  #cleared = 0
  /** The newest id that was dropped to free memory. */
  #newestDropped = 0

  constructor({ size, events, memory }: JournalOptions) {
    this.#size = size
    this.#events = events
    this.#memory = memory
  }

  get entries(): JournalEntry[] {
    const first = this.#firstId
    return Array.from({ length: this.#count + 1 - first }, (_, index) => toJournalEntry(this.#get(first + index)))
  }

  get newestId(): number {
    return this.#count
  }

  get dropped(): number {
    return this.#firstId - 1 - this.#cleared
  }

  find(filter: JournalFilter = {}): JournalEntry[] {
    const entries = this.entries.filter(parseJournalFilter(filter).matches)
    if (this.isComplete(filter.after)) return entries
    throw toIncompleteError(this.dropped)
  }

  last(filter: JournalFilter = {}): JournalEntry | undefined {
    const entry = this.entries.findLast(parseJournalFilter(filter).matches)
    if (entry !== undefined || this.isComplete(filter.after)) return entry
    throw toIncompleteError(this.dropped)
  }

  clear(): void {
    this.#empty()
    this.#cleared = this.#count
    this.#events.emit({ type: 'journal-cleared' })
  }

  drop(): void {
    this.#empty()
    this.#newestDropped = this.#count
  }

  record(exchange: Exchange): void {
    this.#count += 1
    exchange.id = this.#count
    exchange.weight = this.#memory.weigh(exchange)
    const slot = this.#toSlot(exchange.id)
    const change = exchange.weight - (this.#ring[slot]?.weight ?? 0)
    this.#ring[slot] = exchange
    this.#spend(change)
    if (this.#events.isWatched) this.#events.emit({ type: 'exchange', entry: toEventEntry(exchange) })
  }

  addBody(exchange: Exchange, body: Bytes): void {
    exchange.body = toOwned(body)
    if (this.#holds(exchange)) this.#grow(exchange, body.byteLength)
  }

  addAnswerBody(exchange: Exchange, body: Bytes): void {
    if (exchange.answer !== undefined) exchange.answer = { ...exchange.answer, body: [body] }
    if (this.#holds(exchange)) this.#grow(exchange, body.byteLength)
  }

  findIds(filter: Omit<JournalFilter, 'body'>): number[] {
    const { matches } = parseJournalFilter(filter)
    const first = this.#firstId
    const ids = Array.from({ length: this.#count + 1 - first }, (_, index) => first + index)
    return ids.filter((id) => matches(toJournalEntry(this.#get(id), 0)))
  }

  get(id: number): JournalEntry | undefined {
    return this.#holds({ id }) ? toJournalEntry(this.#get(id)) : undefined
  }

  isComplete(after = 0): boolean {
    return this.dropped === 0 || after >= this.#firstId - 1
  }

  get #firstId(): number {
    return Math.max(this.#cleared, this.#newestDropped, this.#count - this.#size) + 1
  }

  #toSlot(id: number): number {
    return (id - 1 - this.#base) % this.#size
  }

  #get(id: number): Exchange {
    return this.#ring[this.#toSlot(id)] as Exchange
  }

  /** An exchange that was not recorded has the id 0. */
  #holds({ id }: Pick<Exchange, 'id'>): boolean {
    return id >= this.#firstId
  }

  #grow(exchange: Exchange, bytes: number): void {
    exchange.weight += bytes
    this.#spend(bytes)
  }

  /** Above its own limit, a journal drops its oldest entries. Above the shared limit, the least recently used ones are emptied. */
  #spend(bytes: number): void {
    this.#weight += bytes
    this.#memory.spend(bytes)
    while (this.#weight > this.#memory.largestJournal && this.#firstId < this.#count) this.#dropFirst()
  }

  #dropFirst(): void {
    const id = this.#firstId
    const { weight } = this.#get(id)
    this.#ring[this.#toSlot(id)] = undefined
    this.#newestDropped = id
    this.#weight -= weight
    this.#memory.spend(-weight)
  }

  #empty(): void {
    this.#memory.spend(-this.#weight)
    this.#weight = 0
    this.#ring = []
    this.#base = this.#count
  }
}

export function toIncompleteError(dropped: number): MockError {
  return new MockError(
    'JOURNAL_INCOMPLETE',
    `Failed to search the journal: ${dropped} older exchanges were dropped, and some of them might have matched. Clear the journal before the part that you search, pass a larger journalSize to createMock, or search with \`after\`.`,
  )
}
