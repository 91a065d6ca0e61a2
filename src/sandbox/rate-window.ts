import type { RateLimit } from './fault.ts'

/** What a rate limit says of one request. */
export interface RateDecision {
  /** Whether the window has no room for it. */
  readonly isOver: boolean
  /** The seconds until the next window. */
  readonly retryAfter: number
  readonly headers: Readonly<Record<string, string>>
}

/** Counts the requests of a rate limit. */
export interface RateWindow {
  /** @param now In milliseconds. */
  count(now: number): RateDecision
}

/**
 * Counts in fixed windows, of which the first request opens the first. The headers are those of the widespread draft 6 of
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/.
 */
export function createRateWindow({ requests, window }: RateLimit): RateWindow {
  let end = Number.NEGATIVE_INFINITY
  let used = 0
  return {
    count(now) {
      if (now >= end) {
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
