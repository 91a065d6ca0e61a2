import { assertNoArgument } from '../http/assert-no-argument.ts'
import { toIncompleteError } from '../sandbox/journal.ts'
import type { JournalEntry } from '../sandbox/journal-entry.ts'
import { type JournalFilter, parseJournalFilter } from '../sandbox/journal-filter.ts'
import type { Control } from './create-control.ts'

/** `mock.journal` of a mock in another process. */
export interface RemoteJournal {
  /** The recorded exchanges, oldest first. */
  entries(): Promise<JournalEntry[]>
  /** The number of older exchanges that were dropped. */
  dropped(): Promise<number>
  /**
   * The matching exchanges, oldest first.
   * @throws {MockError} `JOURNAL_INCOMPLETE`, `INVALID_FILTER`
   */
  find(filter?: JournalFilter): Promise<JournalEntry[]>
  /**
   * The newest matching exchange, or `undefined` if there is none.
   * @throws {MockError} `JOURNAL_INCOMPLETE`, `INVALID_FILTER`
   */
  last(filter?: JournalFilter): Promise<JournalEntry | undefined>
  /** Deletes all entries and resets `dropped()`. */
  clear(): Promise<void>
}

export function createRemoteJournal({ ask }: Control): RemoteJournal {
  /** The server filters by all properties except `body` and `headers`, which are compared here. */
  async function search(
    filter: JournalFilter,
  ): Promise<{ entries: JournalEntry[]; dropped: number; isComplete: boolean }> {
    const { matches } = parseJournalFilter(filter)
    const { body: _body, headers: _headers, ...query } = filter
    const { entries, ...rest } = await ask('getJournal', { query: toQuery(query) })
    return { entries: (entries as JournalEntry[]).filter(matches), ...rest }
  }

  const entries = async (): Promise<JournalEntry[]> => (await search({})).entries
  // Otherwise `expect(remote.journal.entries).toHaveLength(0)` passes: a function without parameters has the length 0.
  Object.defineProperty(entries, 'length', { value: undefined })
  return {
    entries,
    dropped: async () => (await ask('getJournal', { query: { limit: '1' } })).dropped,
    async find(filter = {}) {
      const { entries, dropped, isComplete } = await search(filter)
      if (isComplete) return entries
      throw toIncompleteError(dropped)
    },
    async last(filter = {}) {
      const { entries, dropped, isComplete } = await search(filter)
      if (entries.length > 0 || isComplete) return entries.at(-1)
      throw toIncompleteError(dropped)
    },
    async clear(...given: unknown[]) {
      assertNoArgument('journal.clear', given, 'It clears all entries.')
      await ask('clearJournal')
    },
  }
}

function toQuery(query: object): Record<string, string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}
