/** The middle of the values. */
export function toMedian(values: readonly number[]): number {
  return toQuantile(values, 0.5)
}

/** Between these lies the middle half of the values. */
export function toQuartiles(values: readonly number[]): readonly [lower: number, upper: number] {
  return [toQuantile(values, 0.25), toQuantile(values, 0.75)]
}

/** The value that so large a share of the values lies below; between two of them, on the line from one to the other. */
function toQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const [below = Number.NaN, above = below] = sorted.slice(Math.floor(place))
  return below + (above - below) * (place % 1)
}
