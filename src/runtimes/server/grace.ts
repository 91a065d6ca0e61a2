import { MockError } from '../../http/mock-error.ts'
import { quote } from '../../http/quote.ts'

/** How long a server that closes waits for responses in flight: milliseconds, or a text such as `'5s'` or `'500ms'`. */
export type Grace = number | string

export const DEFAULT_GRACE: Grace = '5s'

const LONGEST_MS = 24 * 60 * 60 * 1000
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }

/**
 * Reads a grace period into milliseconds. A text needs a unit, unless it is `'0'`: 5 could be either.
 * @throws {MockError} `INVALID_OPTION` naming `place`.
 */
export function parseGrace(value: unknown, place: string): number {
  const ms = typeof value === 'string' ? parseText(value) : value
  if (typeof ms === 'number' && ms >= 0 && ms <= LONGEST_MS) return ms
  throw new MockError(
    'INVALID_OPTION',
    `${place} must be a time up to a day, as '5s', '500ms' or 0, got ${quote(value)}`,
  )
}

function parseText(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text.trim()) ?? []
  if (number === undefined || unit === undefined) return text.trim() === '0' ? 0 : undefined
  return Number(number) * (UNITS[unit] ?? 1)
}
