import type { RateLimit } from './fault.ts'

/** The decision of a rate limit about one request. */
interface RateDecision {
  /** Whether the request exceeds the limit. */
  readonly isOver: boolean
  /** The seconds until the next window. */
  readonly retryAfter: number
  readonly headers: Readonly<Record<string, string>>
}

/** Counts the requests of a rate limit. */
export interface RateWindow {
  /** @param now The current time in milliseconds. */
  count(now: number): RateDecision
}

/**
 * Counts requests in fixed windows, each of which starts with its first request. The headers follow the widely used
 * draft 6 of https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/.
 */
export function createRateWindow({ requests, window }: RateLimit): RateWindow {
  let end = Number.NEGATIVE_INFINITY
  let used = 0
  return {
    count(now) {
      // The clock goes back when it returns from virtual to real time.
      if (now >= end || now < end - window) {
        end = now + window
        used = 0
      }
      used += 1
      const reset = Math.ceil((end - now) / 1000)
      return {
        isOver: used > requests,
        retryAfter: reset,
        headers: {
          'ratelimit-policy': `${requests};w=${Math.ceil(window / 1000)}`,
          'ratelimit-limit': String(requests),
          'ratelimit-remaining': String(Math.max(0, requests - used)),
          'ratelimit-reset': String(reset),
        },
      }
    },
  }
}
