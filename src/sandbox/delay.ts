import { LONGEST_DELAY_MS } from '../http/prefer.ts'
import { readAs, type Schema } from '../http/schema.ts'
import type { Random } from '../store/generate-fixture.ts'

/** A latency in milliseconds: fixed, or drawn uniformly from a range with inclusive bounds. */
export type Delay = number | readonly [min: number, max: number]

/** Parses `200`, `[100, 300]`, `'200'` or `'100-300'`. @internal */
export const DELAY: Schema<Delay> = readAs(readDelay, 'milliseconds up to a day, such as 200 or 100-300')

export function drawDelay(delay: Delay, random: Random): number {
  if (typeof delay === 'number') return delay
  const [min, max] = delay
  return Math.min(max, min + Math.floor(random() * (max - min + 1)))
}

function readDelay(value: unknown): Delay | undefined {
  const range = typeof value === 'string' ? readText(value) : value
  return isDelay(range) || isRange(range) ? range : undefined
}

function readText(text: string): unknown {
  const parts = /^(\d+)(?:-(\d+))?$/.exec(text)
  if (parts === null) return undefined
  return parts[2] === undefined ? Number(parts[1]) : [Number(parts[1]), Number(parts[2])]
}

function isRange(range: unknown): range is [number, number] {
  if (!Array.isArray(range)) return false
  const [min, max, ...more] = range as unknown[]
  return isDelay(min) && isDelay(max) && min <= max && more.length === 0
}

function isDelay(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= LONGEST_DELAY_MS
}
