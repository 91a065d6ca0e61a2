import { toIncompleteError } from '../sandbox/journal.ts'
import type { JournalEntry } from '../sandbox/journal-entry.ts'
import { type JournalFilter, parseJournalFilter } from '../sandbox/journal-filter.ts'
import type { Control } from './create-control.ts'

/** `mock.journal` of a mock that runs elsewhere. */
export interface RemoteJournal {
  /** The exchanges that are kept, the oldest first. */
  entries(): Promise<JournalEntry[]>
  /** How many older ones were dropped to make room. */
  dropped(): Promise<number>
  /** The exchanges that fit, the oldest first. @throws {MockError} `JOURNAL_INCOMPLETE`, `INVALID_FILTER` */
  find(filter?: JournalFilter): Promise<JournalEntry[]>
  /** The newest exchange that fits. @throws {MockError} `JOURNAL_INCOMPLETE`, `INVALID_FILTER` */
  last(filter?: JournalFilter): Promise<JournalEntry | undefined>
  /** Forgets everything, also that entries were dropped. */
  clear(): Promise<void>
}

export function createRemoteJournal({ ask }: Control): RemoteJournal {
  /** A body is looked for here, all else there. */
  async function search(
    filter: JournalFilter,
  ): Promise<{ entries: JournalEntry[]; dropped: number; isComplete: boolean }> {
    const fits = parseJournalFilter(filter)
    const { body: _, ...query } = filter
    const { entries, ...rest } = await ask('getJournal', { query: toQuery(query) })
    return { entries: (entries as JournalEntry[]).filter(fits), ...rest }
  }

  return {
    entries: async () => (await search({})).entries,
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
    async clear() {
      await ask('clearJournal')
    },
  }
}

function toQuery(query: object): Record<string, string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}
