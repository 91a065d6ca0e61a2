/** JSON source text, which `writeExactJson` writes unchanged. */
export class JsonText {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/**
 * A JSON number that neither a JavaScript number nor a bigint represents exactly, such as `5.00000000000000000001` or
 * `1e400`. Its source text is kept.
 */
export class JsonNumber extends JsonText {}

/** The nesting limit, the same as Jackson's. It prevents stack overflows; RFC 8259, section 9, allows a limit. */
export const DEEPEST_JSON = 1000

/** The error for JSON nested more than 1,000 levels deep. */
export class NestingError extends SyntaxError {
  override readonly name = 'NestingError'

  constructor() {
    super(`nested more than ${DEEPEST_JSON} levels deep`)
  }
}

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown

/** Options of `parseExactJson`. */
export interface ExactOptions {
  /**
   * Whether `5.0` and `5e0` become a `JsonNumber`, which keeps them distinct from `5`.
   * @default false
   */
  readonly keepsDecimals?: boolean
}

/**
 * `JSON.parse` without silent rounding. Integers beyond ±(2^53−1) become bigints; a number that would be rounded to an
 * integer becomes a `JsonNumber`; all others are numbers. `5.0` and `5e0` are the integer 5, as in JSON Schema.
 *
 * Falls back to plain `JSON.parse` in a runtime without source text access
 * (https://github.com/tc39/proposal-json-parse-with-source).
 * @throws {SyntaxError} when `text` is not JSON, with a message that does not repeat it.
 * @throws {NestingError} when it is nested more than 1,000 levels deep.
 */
export function parseExactJson(text: string, { keepsDecimals = false }: ExactOptions = {}): unknown {
  assertDepth(text)
  try {
    if (!MAY_ROUND.test(text)) return JSON.parse(text)
    return JSON.parse(text, (keepsDecimals ? reviveDecimals : reviveExactly) as Parameters<typeof JSON.parse>[1])
  } catch (error) {
    throw new SyntaxError(withoutSource((error as Error).message))
  }
}

/** V8 and WebKit quote the text that they reject, in double quotes at the end. It may be a credential. */
function withoutSource(message: string): string {
  return message.replace(/(?<![,. ])[,. ]*".*/s, '') || 'unexpected text'
}

/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a parsed value is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonText)
}

/**
 * The source text of a member of a JSON object. The last of several members with the same name wins.
 * @param json An object that `JSON.parse` accepts.
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

/** Only numbers with 16 digits or more, a fraction or an exponent can be rounded. */
const MAY_ROUND = /\d{16}|\d[.eE]/

const reviveExactly: Reviver = (_key, value, context) =>
  typeof value === 'number' && context?.source !== undefined ? toExactNumber(value, context.source) : value

const reviveDecimals: Reviver = (key, value, context) =>
  typeof value === 'number' && /[.eE]/.test(context?.source ?? '')
    ? new JsonNumber(context?.source ?? '')
    : reviveExactly(key, value, context)

/** The exact value of a JSON number that `JSON.parse` reads as `value`. */
export function toExactNumber(value: number, source: string): number | bigint | JsonNumber {
  if (/^-?\d+$/.test(source)) return Number.isSafeInteger(value) ? value : BigInt(source)
  if (Number.isFinite(value) && !Number.isInteger(value)) return value
  return Number.isSafeInteger(value) && isIntegral(source) ? value : new JsonNumber(source)
}

/** Decides by its digits whether a JSON number with a fraction or an exponent is a whole number. */
function isIntegral(source: string): boolean {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/(?<!0)0+$/, '')
  if (digits === '') return true
  const trailingZeros = whole.length + fraction.length - digits.length
  return fraction.length - trailingZeros <= Number(exponent)
}

const SPACE_AND_BRACE = /[\s{]*/y
const COLON = /[\s:]*/y
const COMMA = /[\s,]*/y
const SCALAR = /[^\s,\]}]*/y

/** The position after the match of a sticky pattern. */
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
  // Shorter text has no room for that many brackets.
  if (text.length > 2 * DEEPEST_JSON) skipNested(text, 0)
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** The position after the bracket that closes the first one. A loop, because recursion could overflow the stack. */
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

/** The position after the string that begins at `start`. */
export function skipString(json: string, start: number): number {
  for (let position = start + 1; position < json.length; position += 1) {
    const code = json.charCodeAt(position)
    if (code === BACKSLASH) position += 1
    else if (code === QUOTE) return position + 1
  }
  return json.length
}
