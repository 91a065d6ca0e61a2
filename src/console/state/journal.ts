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

/** The time span of the traffic chart, in seconds. */
export const TRAFFIC_SECONDS = 60

/** The result of a request: success; refused (4xx); failed (5xx or no response). */
export type Fate = 'answered' | 'refused' | 'failed'
export type SecondOfTraffic = Readonly<Record<Fate, number>>

/** The requests of the last minute. */
export interface Traffic {
  /** By second, counted from 1970. */
  readonly seconds: ReadonlyMap<number, SecondOfTraffic>
  /** The time since which no request is missing, in milliseconds from 1970. */
  readonly since: number
}

export const QUIET: SecondOfTraffic = { answered: 0, refused: 0, failed: 0 }
export const NO_TRAFFIC: Traffic = { seconds: new Map(), since: 0 }

export function toFate({ answer }: Pick<Exchange, 'answer'>): Fate {
  if (answer === undefined || answer.status >= 500) return 'failed'
  return answer.status >= 400 ? 'refused' : 'answered'
}

/** Adds an exchange and drops seconds that are too old. */
export function addToTraffic({ seconds, since }: Traffic, exchange: Pick<Exchange, 'answer'>, time: number): Traffic {
  const second = Math.floor(time / 1000)
  const fate = toFate(exchange)
  const counts = seconds.get(second) ?? QUIET
  const recent = [...seconds].filter(([each]) => each > second - TRAFFIC_SECONDS - 2)
  return { seconds: new Map([...recent, [second, { ...counts, [fate]: counts[fate] + 1 }]]), since }
}

/**
 * Counts the traffic in a journal, by the mock's clock. If exchanges were dropped, they are the oldest ones, so the
 * traffic is complete from the first remaining exchange on.
 */
export function toTraffic(entries: readonly Exchange[], { isWhole }: { readonly isWhole: boolean }): Traffic {
  const times = entries.map(({ time }) => Date.parse(time))
  const none: Traffic = { seconds: new Map(), since: isWhole ? 0 : (times[0] ?? 0) }
  return entries.reduce((traffic, entry, index) => addToTraffic(traffic, entry, times[index] ?? 0), none)
}
