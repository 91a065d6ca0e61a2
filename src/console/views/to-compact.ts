/** From here on the letters have no agreed meaning. */
const QUADRILLION = 1e15

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** A number that fits beside a picture, in six characters at most: `950`, `-1.2K`, `9e15`. */
export function toCompact(value: number): string {
  if (Math.abs(value) < QUADRILLION) return compact.format(value)
  return value.toExponential(1).replace('.0e', 'e').replace('e+', 'e')
}

/** A number that fits into so many characters: whole, else rounded; `''` where neither has room. It is never cut. */
export function toFitting(value: number, room: number): string {
  return [value.toLocaleString('en'), toCompact(value)].find(({ length }) => length <= room) ?? ''
}
