/** The middle of the values; of an even number of them, the mean of the two in the middle. */
export function toMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}

/** The smallest and the largest. */
export function toRange(values: readonly number[]): readonly [smallest: number, largest: number] {
  return [Math.min(...values), Math.max(...values)]
}
