import type { Latency } from '../api/model.ts'

/** Formats a latency: `1,000 ms`, `100 to 300 ms`. */
export function toMilliseconds(delay: Latency): string {
  const bounds = typeof delay === 'string' ? delay.split('-').map(Number) : [delay].flat()
  return `${bounds.map((bound) => bound.toLocaleString('en')).join(' to ')} ms`
}
