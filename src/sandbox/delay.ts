import { MockError } from '../http/mock-error.ts'
import { quote } from '../http/quote.ts'
import type { Random } from '../store/random.ts'

/** A latency in milliseconds: fixed, or drawn evenly from a range, bounds included. */
export type Delay = number | readonly [min: number, max: number]

const LONGEST_MS = 24 * 60 * 60 * 1000

/**
 * Reads a delay: `200`, `[100, 300]`, `'200'` or `'100-300'`.
 * @throws {MockError} `INVALID_OPTION` naming `place`.
 */
export function parseDelay(value: unknown, place: string): Delay {
  const range = typeof value === 'string' ? parseText(value) : value
  if (Array.isArray(range) ? isRange(range) : isDelay(range)) return range as Delay
  throw new MockError(
    'INVALID_OPTION',
    `${place} must be milliseconds up to a day, as 200, [100, 300] or '100-300', got ${quote(value)}`,
  )
}

/** The milliseconds of one answer. */
export function drawDelay(delay: Delay, random: Random): number {
  if (typeof delay === 'number') return delay
  const [min, max] = delay
  return min + Math.floor(random() * (max - min + 1))
}

function parseText(text: string): unknown {
  const parts = /^(\d+)(?:-(\d+))?$/.exec(text)
  if (parts === null) return text
  return parts[2] === undefined ? Number(parts[1]) : [Number(parts[1]), Number(parts[2])]
}

function isRange([min, max, ...more]: readonly unknown[]): boolean {
  return isDelay(min) && isDelay(max) && min <= max && more.length === 0
}

function isDelay(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= LONGEST_MS
}
