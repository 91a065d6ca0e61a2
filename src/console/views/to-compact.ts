const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** A number that fits beside a picture: 950, 1.2K, 9P. */
export function toCompact(value: number): string {
  return compact.format(value)
}
