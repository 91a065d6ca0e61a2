import type { Exchange } from '../api/model.ts'

/** How many exchanges the console keeps. */
export const JOURNAL_LENGTH = 200

export function toNewestFirst(entries: readonly Exchange[]): readonly Exchange[] {
  return entries.toReversed()
}

/** The journal with one more exchange at its top, or the same journal where the exchange is in it. */
export function addToJournal(journal: readonly Exchange[], exchange: Exchange): readonly Exchange[] {
  if (journal.some(({ id }) => id === exchange.id)) return journal
  return [exchange, ...journal].sort((a, b) => b.id - a.id).slice(0, JOURNAL_LENGTH)
}
