import { JsonNumber } from './exact-json.ts'
import { hideInAddress } from './hide-credentials.ts'

const LONGEST = 40

/** A value as a message shows it: as JSON, cut at 40 characters, with its JSON type: `"five" (string)`. */
export function quote(value: unknown): string {
  return `${toText(value)} (${toTypeName(value)})`
}

/** The first 40 characters of a text. */
export function cut(text: string): string {
  const characters = Array.from(text.slice(0, 2 * LONGEST + 2))
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : text
}

function toText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(cut(hideInAddress(value)))
  if (value instanceof JsonNumber) return cut(value.source)
  if (typeof value !== 'object') return cut(String(value))
  return cut(toJsonText(value))
}

/** A value nested more deeply than the stack goes is shown by its brackets alone. */
function toJsonText(value: object | null): string {
  try {
    return JSON.stringify(value, writeExactly)
  } catch {
    return Array.isArray(value) ? '[…]' : '{…}'
  }
}

function writeExactly(_key: string, value: unknown): unknown {
  if (value instanceof JsonNumber) return value.source
  return typeof value === 'bigint' ? String(value) : value
}

function toTypeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (value instanceof JsonNumber || typeof value === 'bigint') return 'number'
  return typeof value
}
