/** The result of a matcher. Vitest and Playwright Test share this shape. */
export interface MatcherResult {
  readonly pass: boolean
  message(): string
}
