import { isJsonNumber, isPlain, type JsonObject, rawJSON, toClassName } from './exact-json.ts'
import { hideInAddress } from './hide-credentials.ts'

const LONGEST = 40

/** Formats a value for a message: as JSON, cut to 40 characters, followed by its type: `"five" (string)`, `null`. */
export function quote(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  const text = typeof value === 'string' ? JSON.stringify(cut(value)) : showValue(value, LONGEST)
  return `${text} (${toTypeName(value)})`
}

/** Escapes what others could use to control a terminal, to fake lines, or to change the order of the letters. */
export function escapeControls(text: string): string {
  return text.replaceAll(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

const MOST_NAMES = 3

/** The first of several names: `a; b; c; 2 more`. */
export function joinFirst(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? [`${names.length - MOST_NAMES} more`] : []
  return [...names.slice(0, MOST_NAMES), ...more].join('; ')
}

/** Redacts the credentials in a text, and cuts it to 40 characters. */
export function cut(text: string): string {
  return clip(hideInAddress(text), LONGEST)
}

/** The beginning of any value as JSON. A value that JSON cannot represent is shown by its name. */
export function showValue(value: unknown, longest: number): string {
  return clip(show(value), longest)
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

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(hideInAddress(value))
  if (typeof value === 'function') return 'function'
  if (typeof value !== 'object' || value === null) return String(value)
  try {
    if (isAsymmetric(value)) return value.toAsymmetricMatcher?.() ?? String(value)
    return JSON.stringify(value, function (this: JsonObject, key, converted: unknown) {
      const each = this[key]
      if (typeof each === 'bigint') return rawJSON(String(each))
      if (typeof each === 'function' || isAsymmetric(each)) return show(each)
      return typeof converted === 'string' ? hideInAddress(converted) : converted
    })
  } catch {
    // It has a cycle, too many levels or a getter that throws.
    return '{…}'
  }
}

function toTypeName(value: NonNullable<unknown>): string {
  if (Array.isArray(value)) return 'array'
  if (isJsonNumber(value) || typeof value === 'bigint') return 'number'
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
  const isSimilar = (each: string, edits: number): boolean =>
    edits <= Math.max(1, Math.floor(Math.min(name.length, each.length) / 3)) &&
    Math.abs(name.length - each.length) <= edits &&
    hasEdits(edits, name.toLowerCase(), each.toLowerCase())
  const [nearest] = [0, 1, 2, 3].flatMap((edits) => known.filter((each) => isSimilar(each, edits)))
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`
}

/** Whether at most so many letters are wrong, missing, superfluous or swapped with their neighbour. */
function hasEdits(edits: number, from: string, to: string): boolean {
  if (from === to) return true
  if (from !== '' && from[0] === to[0]) return hasEdits(edits, from.slice(1), to.slice(1))
  if (edits === 0) return false
  const isSwapped = from[0] === to[1] && from[1] === to[0]
  return (
    hasEdits(edits - 1, from.slice(1), to.slice(1)) ||
    hasEdits(edits - 1, from.slice(1), to) ||
    hasEdits(edits - 1, from, to.slice(1)) ||
    (isSwapped && hasEdits(edits - 1, from.slice(2), to.slice(2)))
  )
}
