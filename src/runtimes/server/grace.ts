import { readAs, type Schema } from '../../http/schema.ts'

/** How long a closing server waits for responses in flight: milliseconds, or a string such as `'5s'` or `'500ms'`. */
export type Grace = number | string

export const DEFAULT_GRACE: Grace = '5s'

const LONGEST_MS = 24 * 60 * 60 * 1000
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }

/** A time in milliseconds. A string needs a unit, unless it is `'0'`, because `'5'` would be ambiguous. @internal */
export const GRACE: Schema<number> = readAs(readGrace, "a time up to a day, as '5s', '500ms' or 0")

function readGrace(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? parseText(value) : value
  return typeof ms === 'number' && ms >= 0 && ms <= LONGEST_MS ? ms : undefined
}

function parseText(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text.trim()) ?? []
  if (number === undefined || unit === undefined) return text.trim() === '0' ? 0 : undefined
  return Number(number) * (UNITS[unit] ?? 1)
}
