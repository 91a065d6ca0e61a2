import { MockError } from '../contract/mock-error.ts'
import type { SandboxEvents } from './events.ts'
import { type Exchange, type JournalEntry, toJournalEntry } from './journal-entry.ts'
import { type JournalFilter, parseJournalFilter } from './journal-filter.ts'

/** How many exchanges a journal keeps unless told otherwise. */
export const DEFAULT_JOURNAL_SIZE = 1000

/** What one sandbox was asked, and what it answered. Requests to the control API are not in it. */
export interface Journal {
  /** The exchanges that are kept, the oldest first. */
  readonly entries: readonly JournalEntry[]
  /** How many older ones were dropped to make room. */
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
export interface JournalRoom extends Journal {
  record(exchange: Exchange): void
  /** What is kept of the exchanges that fit, and whether others that were dropped may have fitted. */
  search(filter: JournalFilter): { entries: JournalEntry[]; isComplete: boolean }
}

/** @param size How many exchanges it keeps. */
export function createJournal(size: number, events: Pick<SandboxEvents, 'isWatched' | 'emit'>): JournalRoom {
  let ring: (Exchange | undefined)[] = []
  let count = 0
  let cleared = 0

  const firstId = (): number => Math.max(cleared, count - size) + 1
  const countDropped = (): number => Math.max(0, count - size - cleared)

  function write(id: number): JournalEntry {
    return toJournalEntry(id, ring[id % size] as Exchange)
  }

  function readAll(): JournalEntry[] {
    return Array.from({ length: count + 1 - firstId() }, (_, index) => write(firstId() + index))
  }

  function search(filter: JournalFilter): { entries: JournalEntry[]; isComplete: boolean } {
    const fits = parseJournalFilter(filter)
    const isComplete = countDropped() === 0 || (filter.after ?? 0) >= firstId() - 1
    return { entries: readAll().filter(fits), isComplete }
  }

  return {
    get entries() {
      return readAll()
    },
    get dropped() {
      return countDropped()
    },
    find(filter = {}) {
      const { entries, isComplete } = search(filter)
      if (isComplete) return entries
      throw toIncompleteError(countDropped())
    },
    last(filter = {}) {
      const { entries, isComplete } = search(filter)
      if (entries.length > 0 || isComplete) return entries.at(-1)
      throw toIncompleteError(countDropped())
    },
    clear() {
      ring = []
      cleared = count
      events.emit({ type: 'journal-cleared' })
    },
    record(exchange) {
      count += 1
      ring[count % size] = exchange
      if (events.isWatched) events.emit({ type: 'exchange', entry: write(count) })
    },
    search,
  }
}

export function toIncompleteError(dropped: number): MockError {
  return new MockError(
    'JOURNAL_INCOMPLETE',
    `Failed to search the journal: ${dropped} older exchanges were dropped, and the answer may lie in them. Clear the journal before the part that you ask about, give createMock a larger journalSize, or ask with \`after\`.`,
  )
}
