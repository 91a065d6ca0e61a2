/** The position of a JSON syntax error. */
interface JsonFault {
  /** In characters. */
  readonly offset: number
  readonly expected: string
}

const SPACE = /[ \t\r\n]*/y
const QUOTE = /"/y
// RFC 8259, section 7: everything but control characters, quotes and backslashes, or an escape.
const STRING_PART = /[ !#-[\]-\uffff]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

/** A set of tokens that may come next, and its description in messages. */
const EXPECTED = {
  value: 'a value',
  'value or ]': 'a value or ]',
  name: 'a name in double quotes',
  'name or }': 'a name in double quotes or }',
  ':': ': behind the name',
  ', or ]': ', or ]',
  ', or }': ', or }',
  end: 'the end of the file',
} as const
type State = keyof typeof EXPECTED

/**
 * Finds the first syntax error in a JSON text (RFC 8259), whose position `JSON.parse` does not always report.
 * @returns `undefined` for valid JSON.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  /** The open brackets. */
  const open: ('[' | '{')[] = []
  let state: State = 'value'
  let offset = 0

  const read = (pattern: RegExp): boolean => {
    pattern.lastIndex = offset
    if (!pattern.test(text)) return false
    offset = pattern.lastIndex
    return true
  }
  /** Reads in parts: a pattern for a whole string overflows the stack at some 10 MB. */
  const readString = (): boolean => {
    if (!read(QUOTE)) return false
    while (read(STRING_PART));
    return read(QUOTE)
  }
  const toNext = (): State => {
    const bracket = open.at(-1)
    if (bracket === undefined) return 'end'
    return bracket === '[' ? ', or ]' : ', or }'
  }
  const step = (): State | undefined => {
    const character = text[offset]
    if (state === 'name' || (state === 'name or }' && character !== '}')) return readString() ? ':' : undefined
    if (state === 'value' || (state === 'value or ]' && character !== ']')) {
      if (readString() || read(SCALAR)) return toNext()
      if (character !== '[' && character !== '{') return undefined
      offset += 1
      open.push(character)
      return character === '[' ? 'value or ]' : 'name or }'
    }
    if (state === 'end') return undefined
    offset += 1
    if (state === ':') return character === ':' ? 'value' : undefined
    if (character === ',' && state.startsWith(',')) return open.at(-1) === '[' ? 'value' : 'name'
    if (!state.endsWith(character ?? ' ')) return undefined
    open.pop()
    return toNext()
  }

  for (;;) {
    read(SPACE)
    if (offset === text.length && state === 'end') return undefined
    const start = offset
    const next = step()
    if (next === undefined) return { offset: start, expected: EXPECTED[state] }
    state = next
  }
}
