import { setTimeout } from 'node:timers/promises'
import type { ExpectMatcherState } from '@playwright/test'
import type { MatcherResult } from '../matchers/matcher-result.ts'

const INTERVAL_MS = 20

/** Makes a matcher that waits, as Playwright's own do, until it holds or the time that `expect` has for it is over. */
export function toWaitingMatcher<Parameters extends unknown[]>(
  match: (...parameters: Parameters) => MatcherResult | Promise<MatcherResult>,
) {
  return async function matchInTime(this: ExpectMatcherState, ...parameters: Parameters): Promise<MatcherResult> {
    const deadline = performance.now() + this.timeout
    for (;;) {
      const result = await match(...parameters)
      if (result.pass !== this.isNot || performance.now() >= deadline) return result
      await setTimeout(INTERVAL_MS)
    }
  }
}
