import { skipString } from '../../http/exact-json.ts'

const [QUOTE, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d]
const SPACE = /[ \t\r\n]*/y

/**
 * Finds the first name that its object already has. `JSON.parse` keeps the last of them without a word.
 * @param json A text that `JSON.parse` accepts.
 * @returns The position of its opening quote; `undefined` if all names are unique.
 */
export function findRepeatedName(json: string): number | undefined {
  /** The names of the open object at each depth. The sets are reused: a file can have a million objects. */
  const names: Set<string>[] = [new Set()]
  let depth = 0
  for (let position = 0; position < json.length; position += 1) {
    const code = json.charCodeAt(position)
    if (code === OPEN_OBJECT || code === OPEN_LIST) {
      depth += 1
      names[depth] ??= new Set()
      names[depth]?.clear()
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      depth -= 1
    } else if (code === QUOTE) {
      const start = position
      const end = skipString(json, start)
      position = end - 1
      if (json.charCodeAt(skipSpace(json, end)) !== COLON) continue
      const source = json.slice(start + 1, end - 1)
      const name = source.includes('\\') ? String(JSON.parse(`"${source}"`)) : source
      if (names[depth]?.has(name)) return start
      names[depth]?.add(name)
    }
  }
  return undefined
}

function skipSpace(json: string, position: number): number {
  SPACE.lastIndex = position
  SPACE.test(json)
  return SPACE.lastIndex
}
