import { isPlain, JsonNumber, toClassName } from './exact-json.ts'
import { hideInAddress } from './hide-credentials.ts'

const LONGEST = 40

/** Formats a value for a message: as JSON, cut to 40 characters, followed by its type: `"five" (string)`. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(cut(value)) : showValue(value, LONGEST)
  return `${text} (${toTypeName(value)})`
}

/** Escapes what others could use to control a terminal, to fake lines, or to change the order of the letters. */
export function escapeControls(text: string): string {
  return text.replaceAll(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** Redacts the credentials in a text, and cuts it to 40 characters. */
export function cut(text: string): string {
  return clip(hideInAddress(text), LONGEST)
}

/** The beginning of any value as JSON. A value that JSON cannot represent is shown by its name. */
export function showValue(value: unknown, longest: number): string {
  return clip(show(value, longest + 1), longest)
}

function clip(text: string, longest: number): string {
  const characters = Array.from(text.slice(0, 2 * longest + 2))
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : text
}

/** A value that other values are compared with, such as `expect.any(Number)` of Vitest, Jest and Playwright. */
interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean
  toAsymmetricMatcher?(): string
}

export function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return typeof value === 'object' && value !== null && 'asymmetricMatch' in value
}

/** Stops soon after `limit` characters, so that it ends on cyclic and deeply nested values too. */
function show(value: unknown, limit: number): string {
  if (typeof value === 'string') return JSON.stringify(hideInAddress(value).slice(0, limit))
  if (value instanceof JsonNumber) return value.source
  if (typeof value === 'function') return 'function'
  if (typeof value !== 'object' || value === null) return String(value)
  try {
    if (isAsymmetric(value)) return value.toAsymmetricMatcher?.() ?? String(value)
    return showMembers(value, limit)
  } catch {
    // A getter of the value may throw.
    return '{…}'
  }
}

function showMembers(value: object, limit: number): string {
  const isList = Array.isArray(value)
  let text = ''
  for (const [name, member] of Object.entries(isList ? value.slice(0, limit) : value)) {
    if (text.length > limit) break
    const label = isList ? '' : `${JSON.stringify(name)}:`
    text += `${text === '' ? '' : ','}${label}${show(member, limit - text.length)}`
  }
  return isList ? `[${text}]` : `{${text}}`
}

function toTypeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (value instanceof JsonNumber || typeof value === 'bigint') return 'number'
  const isOfClass = typeof value === 'object' && !isPlain(value)
  return isOfClass ? toClassName(value) : typeof value
}

/** The clause after an unknown name: `is not known. Did you mean port? Known: host, port.` */
export function explainUnknown(name: string, known: readonly string[]): string {
  const all = known.length === 0 ? 'None are allowed here.' : `Known: ${known.join(', ')}.`
  return `is not known.${suggest(name, known)} ${all}`
}

/**
 * Returns ` Did you mean port?` if a known name is similar to the unknown one, otherwise an empty string. Append it to
 * the sentence that rejects the name.
 */
export function suggest(name: string, known: readonly string[]): string {
  const [nearest] = known
    .map((each) => ({ each, distance: toDistance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, distance }) => distance <= Math.max(1, Math.floor(Math.min(name.length, each.length) / 3)))
    .sort((a, b) => a.distance - b.distance)
  return nearest === undefined ? '' : ` Did you mean ${nearest.each}?`
}

/** The edit distance. A swap of two neighbouring letters is one edit. Long names cannot be misspellings: skip them. */
function toDistance(from: string, to: string): number {
  if (from.length > 64) return from.length
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row]
    rows.push(next)
    for (let column = 1; column <= to.length; column += 1) {
      const cost = from[row - 1] === to[column - 1] ? 0 : 1
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const swapped = isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(at(row - 1, column - 1) + cost, at(row - 1, column) + 1, at(row, column - 1) + 1, swapped))
    }
  }
  return at(from.length, to.length)
}
