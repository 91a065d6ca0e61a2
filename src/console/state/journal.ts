import type { Exchange } from '../api/model.ts'
import { addToTraffic, type Traffic } from './traffic.ts'

/** How many exchanges the console keeps. */
export const JOURNAL_LENGTH = 200

export function toNewestFirst(entries: readonly Exchange[]): readonly Exchange[] {
  return entries.toReversed()
}

/** The journal with one more exchange at its top, or the same where it is in there. */
export function addToJournal(journal: readonly Exchange[], exchange: Exchange): readonly Exchange[] {
  if (journal.some(({ id }) => id === exchange.id)) return journal
  return [exchange, ...journal].sort((a, b) => b.id - a.id).slice(0, JOURNAL_LENGTH)
}

/** The traffic that a journal tells of, by the clock of the double. */
export function toTraffic(entries: readonly Exchange[]): Traffic {
  return entries.reduce<Traffic>((traffic, entry) => addToTraffic(traffic, entry, Date.parse(entry.time)), new Map())
}
