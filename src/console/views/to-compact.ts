/** From here on, numbers have no common suffix. */
const QUADRILLION = 1e15

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** Formats a number in at most six characters: `950`, `-1.2K`, `9e15`. */
export function toCompact(value: number): string {
  if (Math.abs(value) < QUADRILLION) return compact.format(value)
  return value.toExponential(1).replace('.0e', 'e').replace('e+', 'e')
}

/** Formats a number in at most `room` characters: exact or else rounded; `''` if neither fits. Never truncates digits. */
export function toFitting(value: number, room: number): string {
  return [value.toLocaleString('en'), toCompact(value)].find(({ length }) => length <= room) ?? ''
}
