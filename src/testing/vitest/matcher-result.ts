/** What a matcher says to Vitest. */
export interface MatcherResult {
  readonly pass: boolean
  message(): string
}
