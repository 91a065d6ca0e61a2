/** What a matcher says to the runner: Vitest and Playwright Test ask for the same. */
export interface MatcherResult {
  readonly pass: boolean
  message(): string
}
