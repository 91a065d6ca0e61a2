/** JSON text that stands for itself: it is written as it is. */
export class JsonText {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/**
 * A JSON number that neither a JavaScript number nor a bigint says exactly, kept as it was written:
 * `5.00000000000000000001`, or `1e400`.
 */
export class JsonNumber extends JsonText {}

/** Deeper nesting is refused, as Jackson does (RFC 8259, section 9, allows a limit): no stack is to overflow on it. */
export const DEEPEST_JSON = 1000

/** JSON that is nested too deeply. */
export class NestingError extends SyntaxError {
  override readonly name = 'NestingError'

  constructor() {
    super(`nested more than ${DEEPEST_JSON} levels deep`)
  }
}

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown

/**
 * `JSON.parse` that rounds nothing: an integer beyond ±(2^53−1) comes as a bigint, a number that a double would round
 * to an integer as a `JsonNumber`, all others as numbers. `5.0` and `5e0` are the integer 5, as in JSON Schema.
 *
 * A runtime without the source of a parsed number (https://github.com/tc39/proposal-json-parse-with-source) gives
 * what `JSON.parse` gives.
 * @throws {SyntaxError} when `text` is not JSON; a `NestingError` where it is nested more than 1,000 levels deep.
 */
export function parseExactJson(text: string): unknown {
  assertDepth(text)
  if (!MAY_ROUND.test(text)) return JSON.parse(text)
  return JSON.parse(text, reviveExactly as Parameters<typeof JSON.parse>[1])
}

/** Whether a parsed value is a JSON object. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonText)
}

/**
 * The text of a member of a JSON object, as it was written; of a repeated name the last one counts.
 * @param json Text that `JSON.parse` takes for an object.
 */
export function findMember(json: string, name: string): string | undefined {
  let found: string | undefined
  let position = skip(SPACE_AND_BRACE, json, 0)
  while (json[position] === '"') {
    const nameEnd = skipString(json, position)
    const start = skip(COLON, json, nameEnd)
    const end = skipValue(json, start)
    if (JSON.parse(json.slice(position, nameEnd)) === name) found = json.slice(start, end)
    position = skip(COMMA, json, end)
  }
  return found
}

/** Of 15 digits and fewer, without fraction and exponent, every number is exact as it is. */
const MAY_ROUND = /\d{16}|\d[.eE]/

const reviveExactly: Reviver = (_key, value, context) =>
  typeof value === 'number' && context?.source !== undefined ? toExactNumber(value, context.source) : value

function toExactNumber(value: number, source: string): number | bigint | JsonNumber {
  if (/^-?\d+$/.test(source)) return Number.isSafeInteger(value) ? value : BigInt(source)
  if (Number.isFinite(value) && !Number.isInteger(value)) return value
  return Number.isSafeInteger(value) && isIntegral(source) ? value : new JsonNumber(source)
}

/** Whether a JSON number with a fraction or an exponent is a whole number, by its digits. */
function isIntegral(source: string): boolean {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/0+$/, '')
  if (digits === '') return true
  const trailingZeros = whole.length + fraction.length - digits.length
  return fraction.length - trailingZeros <= Number(exponent)
}

const SPACE_AND_BRACE = /[\s{]*/y
const COLON = /[\s:]*/y
const COMMA = /[\s,]*/y
const SCALAR = /[^\s,\]}]*/y

/** The position behind all that a sticky pattern matches. */
function skip(pattern: RegExp, json: string, position: number): number {
  pattern.lastIndex = position
  pattern.test(json)
  return pattern.lastIndex
}

function skipValue(json: string, start: number): number {
  const isNested = json[start] === '{' || json[start] === '['
  if (json[start] === '"') return skipString(json, start)
  return isNested ? skipNested(json, start) : skip(SCALAR, json, start)
}

/** @throws {NestingError} */
function assertDepth(text: string): void {
  // A text this short cannot open and close as many brackets.
  if (text.length > 2 * DEEPEST_JSON) skipNested(text, 0)
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** The position behind the bracket that closes the first one. A loop, since a recursion would overflow where it counts. */
function skipNested(json: string, start: number): number {
  let depth = 0
  for (let position = start; position < json.length; position += 1) {
    const code = json.charCodeAt(position)
    if (code === QUOTE) {
      position = skipString(json, position) - 1
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1
      if (depth > DEEPEST_JSON) throw new NestingError()
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      depth -= 1
      if (depth === 0) return position + 1
    }
  }
  return json.length
}

/** The position behind the string that begins at `start`. */
function skipString(json: string, start: number): number {
  for (let position = start + 1; position < json.length; position += 1) {
    const code = json.charCodeAt(position)
    if (code === BACKSLASH) position += 1
    else if (code === QUOTE) return position + 1
  }
  return json.length
}
