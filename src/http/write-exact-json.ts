import { DEEPEST_JSON, JsonText } from './exact-json.ts'
import { isPlain, toClassName } from './plain-object.ts'

/** The options of {@link writeExactJson}. */
export interface WriteOptions {
  /**
   * The path of the value in error messages.
   * @default 'the value'
   */
  readonly path?: string
  /**
   * Also rejects values that `JSON.stringify` changes: `undefined` members, -0 and lone surrogates.
   * @default false
   */
  readonly isStrict?: boolean
}

/** The error for a value that JSON cannot represent. The message says where the value is. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError'
}

/**
 * The counterpart of `parseExactJson`: a bigint is written with all its digits, a `JsonText` unchanged. A value that
 * JSON cannot represent throws, where `JSON.stringify` may omit it or write `null`.
 * @throws {UnwritableError}
 */
export function writeExactJson(value: unknown, { path = 'the value', isStrict = false }: WriteOptions = {}): string {
  return write(value, { path: [path], parents: [], isStrict })
}

interface Walk {
  /** The steps to the current value: `body`, `.items`, `[2]`. */
  readonly path: string[]
  readonly parents: object[]
  readonly isStrict: boolean
}

function write(value: unknown, walk: Walk): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return `${value}`
  if (typeof value === 'string') return writeString(value, walk)
  if (typeof value === 'number') return writeNumber(value, walk)
  if (value instanceof JsonText) return value.source
  if (typeof value !== 'object') throw refuse(walk, value === undefined ? 'is undefined' : `is a ${typeof value}`)
  if (walk.parents.includes(value)) throw refuse(walk, 'contains itself')
  if (walk.parents.length === DEEPEST_JSON) throw refuse(walk, `is nested more than ${DEEPEST_JSON} levels deep`)
  walk.parents.push(value)
  const text = Array.isArray(value) ? writeList(value, walk) : writeObject(value, walk)
  walk.parents.pop()
  return text
}

function writeString(text: string, walk: Walk): string {
  if (walk.isStrict && !text.isWellFormed()) throw refuse(walk, 'has a lone surrogate')
  return JSON.stringify(text)
}

function writeNumber(value: number, walk: Walk): string {
  if (!Number.isFinite(value)) throw refuse(walk, `is ${value}`)
  if (walk.isStrict && Object.is(value, -0)) throw refuse(walk, 'is -0')
  return String(value)
}

function writeList(list: readonly unknown[], walk: Walk): string {
  // `Array.from` visits holes as `undefined`; `map` would skip them.
  const items = Array.from(list, (item, index) => writePart(`[${index}]`, item, walk))
  return `[${items.join(',')}]`
}

function writeObject(object: object, walk: Walk): string {
  if (!isPlain(object)) throw refuse(walk, `is an instance of ${toClassName(object)}`)
  const members: string[] = []
  for (const [name, member] of Object.entries(object)) {
    if (member === undefined && !walk.isStrict) continue
    members.push(`${writeString(name, walk)}:${writePart(`.${name}`, member, walk)}`)
  }
  return `{${members.join(',')}}`
}

function writePart(step: string, value: unknown, walk: Walk): string {
  walk.path.push(step)
  const text = write(value, walk)
  walk.path.pop()
  return text
}

/** A long path is shown by its beginning and end. */
function refuse({ path }: Walk, reason: string): UnwritableError {
  const steps = path.length > 12 ? [...path.slice(0, 6), '…', ...path.slice(-5)] : path
  return new UnwritableError(`${steps.join('')} ${reason}, which JSON cannot represent`)
}
