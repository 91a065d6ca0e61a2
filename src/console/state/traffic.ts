import type { Exchange } from '../api/model.ts'

/** How long the picture of the traffic looks back, in seconds. */
export const TRAFFIC_SECONDS = 60

/** What became of a request: an answer; a refusal (4xx); a failure (5xx, or no answer at all). */
export type Fate = 'answered' | 'refused' | 'failed'
export type SecondOfTraffic = Readonly<Record<Fate, number>>

/** The requests of the last minute, by the second in which they came, counted from 1970. */
export type Traffic = ReadonlyMap<number, SecondOfTraffic>

export const QUIET: SecondOfTraffic = { answered: 0, refused: 0, failed: 0 }

export function toFate({ answer }: Exchange): Fate {
  if (answer === undefined || answer.status >= 500) return 'failed'
  return answer.status >= 400 ? 'refused' : 'answered'
}

/** The traffic with one more exchange; what lies too far back is forgotten. */
export function addToTraffic(traffic: Traffic, exchange: Exchange, time: number): Traffic {
  const second = Math.floor(time / 1000)
  const fate = toFate(exchange)
  const counts = traffic.get(second) ?? QUIET
  const recent = [...traffic].filter(([each]) => each > second - TRAFFIC_SECONDS - 2)
  return new Map([...recent, [second, { ...counts, [fate]: counts[fate] + 1 }]])
}
