import type { Exchange } from '../api/model.ts'

/** The maximum number of exchanges in the console. */
export const JOURNAL_LENGTH = 200

export function toNewestFirst(entries: readonly Exchange[]): readonly Exchange[] {
  return entries.toReversed()
}

/** Adds an exchange at the top. Returns the same journal if it already contains the exchange. */
export function addToJournal(journal: readonly Exchange[], exchange: Exchange): readonly Exchange[] {
  if (journal.some(({ id }) => id === exchange.id)) return journal
  return [exchange, ...journal].sort((a, b) => b.id - a.id).slice(0, JOURNAL_LENGTH)
}
