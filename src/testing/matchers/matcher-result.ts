/** The result of a matcher. Vitest, Jest and Playwright Test share this shape. */
export interface MatcherResult {
  readonly pass: boolean
  message(): string
}

/** Compares values of a mock in this process at once, and those of a mock elsewhere when they have arrived. */
export function compare<One, Other>(
  one: One | Promise<One>,
  other: Other | Promise<Other>,
  toResult: (one: One, other: Other) => MatcherResult,
): MatcherResult | Promise<MatcherResult> {
  if (!(one instanceof Promise || other instanceof Promise)) return toResult(one, other)
  return Promise.all([one, other]).then(([first, second]) => toResult(first, second))
}
