import { type Bytes, toOwned } from '../http/bytes.ts'
import { MockError } from '../http/mock-error.ts'
import type { SandboxEvents } from './events.ts'
import { type Exchange, type JournalEntry, LARGEST_EVENT_BODY, toJournalEntry } from './journal-entry.ts'
import { type JournalFilter, parseJournalFilter } from './journal-filter.ts'
import { type Har, toHar } from './to-har.ts'

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
  /** The entries as an HTTP Archive, which browsers, proxies and other tools import. */
  export(): Har
}

/** The measured size of an exchange without its headers and bodies, in bytes. */
const EXCHANGE_BYTES = 768
/** In bytes. Only lists have pieces of this size or more, and many responses share them. */
const LIST_PIECE_BYTES = 1024

/** Counts the memory of all journals of a mock. */
export class JournalMemory {
  /** The limit for one journal, in bytes. Neither the default journal nor the current one is dropped, so both must fit. */
  readonly largestJournal: number
  /** Called with the bytes that are added. */
  readonly grow: (bytes: number) => void
  readonly #lists = new WeakSet<Bytes>()

  constructor(limit: number, grow: (bytes: number) => void) {
    this.largestJournal = limit / 2
    this.grow = grow
  }

  /** The memory that an exchange adds, in bytes. A piece of a list is counted only once. */
  weigh({ request, body, answer }: Pick<Exchange, 'request' | 'body' | 'answer'>): number {
    let bytes = EXCHANGE_BYTES + request.size + (body?.byteLength ?? 0)
    const { headers = {}, body: pieces = [] } = answer ?? {}
    for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0)
    for (const piece of pieces) if (this.#isNew(piece)) bytes += piece.byteLength
    return bytes
  }

  #isNew(piece: Bytes): boolean {
    if (piece.byteLength < LIST_PIECE_BYTES) return true
    const isNew = !this.#lists.has(piece)
    this.#lists.add(piece)
    return isNew
  }
}

interface JournalOptions {
  /** The maximum number of exchanges. */
  readonly size: number
  readonly events: Pick<SandboxEvents, 'isWatched' | 'emit'>
  readonly memory: JournalMemory
}

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
  readonly #ring: (Exchange | undefined)[] = []
  /** The id of the oldest exchange in the ring. */
  #firstId = 1
  /** The memory of the kept exchanges, in bytes. */
  weight = 0
  /** The id of the newest exchange, also after it was dropped; 0 before the first one. */
  #newestId = 0
  /** The newest id at the last `clear()`. */
  #cleared = 0

  constructor(options: JournalOptions) {
    this.#options = options
    // So many fit at most.
    this.#size = Math.min(options.size, Math.ceil(options.memory.largestJournal / EXCHANGE_BYTES))
  }

  get entries(): JournalEntry[] {
    return this.#list().map((exchange) => toJournalEntry(exchange))
  }

  get dropped(): number {
    return this.#firstId - 1 - this.#cleared
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
    this.#cleared = this.#newestId
    this.#options.events.emit({ type: 'journal-cleared' })
  }

  readonly export = (): Har => toHar(this.entries)

  /** Drops all entries to free memory. */
  drop(): void {
    this.#ring.length = 0
    this.#firstId = this.#newestId + 1
    this.weight = 0
  }

  record(exchange: Exchange): void {
    const { events, memory } = this.#options
    this.#newestId += 1
    if (this.#newestId - this.#firstId === this.#size) this.#dropFirst()
    exchange.id = this.#newestId
    exchange.weight = memory.weigh(exchange)
    this.#ring[this.#place(exchange.id)] = exchange
    this.#hold(exchange.weight)
    if (events.isWatched) events.emit({ type: 'exchange', entry: toJournalEntry(exchange, LARGEST_EVENT_BODY) })
  }

  /** Adds the request's body, once. Over HTTP, it may arrive after the exchange was recorded. */
  addBody(exchange: Exchange, body: Bytes): void {
    exchange.body = toOwned(body)
    this.#grow(exchange, body.byteLength)
  }

  /** Adds the response's body, which may arrive after the exchange was recorded. */
  addAnswerBody(exchange: Exchange, body: Bytes): void {
    if (exchange.answer !== undefined) exchange.answer = { ...exchange.answer, body: [body] }
    this.#grow(exchange, body.byteLength)
  }

  /** The ids of the exchanges that match the filter, and are wanted. */
  findIds(filter: Omit<JournalFilter, 'body'>, isWanted: (exchange: Exchange) => boolean): number[] {
    const { matches } = parseJournalFilter(filter)
    return this.#list()
      .filter((exchange) => matches(toJournalEntry(exchange, 0)) && isWanted(exchange))
      .map(({ id }) => id)
  }

  /** `undefined` if the exchange was dropped. */
  get(id: number): JournalEntry | undefined {
    const exchange = this.#ring[this.#place(id)]
    return exchange?.id === id ? toJournalEntry(exchange) : undefined
  }

  /** Whether none of the exchanges after the one with this id was dropped. */
  isComplete(after = 0): boolean {
    return this.dropped === 0 || after >= this.#firstId - 1
  }

  #place(id: number): number {
    return id % this.#size
  }

  /** Oldest first. */
  #list(): Exchange[] {
    const first = this.#place(this.#firstId)
    return [...this.#ring.slice(first), ...this.#ring.slice(0, first)].filter((exchange) => exchange !== undefined)
  }

  #grow(exchange: Exchange, bytes: number): void {
    // An exchange that was not recorded has the id 0.
    if (this.#ring[this.#place(exchange.id)] !== exchange) return
    exchange.weight += bytes
    this.#hold(bytes)
  }

  /** Above its own limit, a journal drops its oldest entries. Above the shared limit, the least recently used ones are emptied. */
  #hold(bytes: number): void {
    const { memory } = this.#options
    this.weight += bytes
    memory.grow(bytes)
    while (this.weight > memory.largestJournal && this.#newestId > this.#firstId) this.#dropFirst()
  }

  #dropFirst(): void {
    const place = this.#place(this.#firstId)
    this.weight -= this.#ring[place]?.weight ?? 0
    this.#ring[place] = undefined
    this.#firstId += 1
  }
}

export function toIncompleteError(dropped: number): MockError {
  return new MockError(
    'JOURNAL_INCOMPLETE',
    `Failed to search the journal: ${dropped} older exchanges were dropped, and some might have matched. Clear the journal earlier, pass a larger journalSize to createMock, or search with \`after\`.`,
  )
}
