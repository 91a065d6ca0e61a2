import type { Exchange } from '../api/model.ts'

/** How long the picture of the traffic looks back, in seconds. */
export const TRAFFIC_SECONDS = 60

/** What became of a request: a success; a refusal (4xx); a failure (5xx, or no response at all). */
export type Fate = 'answered' | 'refused' | 'failed'
export type SecondOfTraffic = Readonly<Record<Fate, number>>

/** The requests of the last minute. */
export interface Traffic {
  /** By the second in which they came, counted from 1970. */
  readonly seconds: ReadonlyMap<number, SecondOfTraffic>
  /** The time, in milliseconds from 1970, from which on no request is missing. */
  readonly since: number
}

export const QUIET: SecondOfTraffic = { answered: 0, refused: 0, failed: 0 }
export const NO_TRAFFIC: Traffic = { seconds: new Map(), since: 0 }

export function toFate({ answer }: Pick<Exchange, 'answer'>): Fate {
  if (answer === undefined || answer.status >= 500) return 'failed'
  return answer.status >= 400 ? 'refused' : 'answered'
}

/** The traffic with one more exchange; what lies too far back is forgotten. */
export function addToTraffic({ seconds, since }: Traffic, exchange: Pick<Exchange, 'answer'>, time: number): Traffic {
  const second = Math.floor(time / 1000)
  const fate = toFate(exchange)
  const counts = seconds.get(second) ?? QUIET
  const recent = [...seconds].filter(([each]) => each > second - TRAFFIC_SECONDS - 2)
  return { seconds: new Map([...recent, [second, { ...counts, [fate]: counts[fate] + 1 }]]), since }
}

/**
 * The traffic that a journal tells of, by the mock's clock. Where exchanges are missing they are the oldest ones, and the
 * traffic is known from the first that is there.
 */
export function toTraffic(entries: readonly Exchange[], { isWhole }: { readonly isWhole: boolean }): Traffic {
  const times = entries.map(({ time }) => Date.parse(time))
  const none: Traffic = { seconds: new Map(), since: isWhole ? 0 : (times[0] ?? 0) }
  return entries.reduce((traffic, entry, index) => addToTraffic(traffic, entry, times[index] ?? 0), none)
}
