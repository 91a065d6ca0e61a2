/** The TypeScript library does not declare them yet: https://github.com/tc39/proposal-json-parse-with-source. */
interface ExactJson {
  rawJSON(source: string): JsonNumber
  isRawJSON(value: unknown): value is JsonNumber
}

/**
 * A JSON number that neither a JavaScript number nor a bigint represents exactly, such as `5.00000000000000000001` or
 * `1e400`, or an integer of more than 1,000 digits. `JSON.stringify` writes its source text.
 */
export interface JsonNumber {
  readonly rawJSON: string
}

/** Makes a `JsonNumber` of its source text. */
export const rawJSON: ExactJson['rawJSON'] = (JSON as unknown as ExactJson).rawJSON

export const isJsonNumber: ExactJson['isRawJSON'] = (JSON as unknown as ExactJson).isRawJSON

/** The nesting limit, the same as Jackson's. It prevents stack overflows; RFC 8259, section 9, allows a limit. */
export const DEEPEST_JSON = 1000

/**
 * `JSON.parse` without silent rounding. Integers beyond ±(2^53−1) become bigints; a number that would be rounded to an
 * integer becomes a `JsonNumber`; all others are numbers. `5.0` and `5e0` are the integer 5, as in JSON Schema.
 * It needs source text access: Node 21, Chrome 114, Firefox 135, Safari 18.4.
 * @throws {SyntaxError} when `text` is not JSON, or is nested more than 1,000 levels deep. The message does not repeat it.
 */
export function parseExactJson(text: string): unknown {
  const revive = (_key: string, value: unknown, { source }: { readonly source?: string } = {}): unknown => {
    if (typeof value !== 'number' || source === undefined) return value
    return toExactNumber(value, source)
  }
  try {
    const value: unknown = MAY_ROUND.test(text) ? JSON.parse(text, revive) : JSON.parse(text)
    // Shorter text has no room for that many brackets.
    if (text.length > 2 * DEEPEST_JSON && isDeeper(value, DEEPEST_JSON)) throw new RangeError()
    return value
  } catch (error) {
    const isDeep = error instanceof RangeError
    throw new SyntaxError(isDeep ? `nested more than ${DEEPEST_JSON} levels deep` : withoutSource(error as Error))
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1))
}

/** V8 and WebKit quote the text that they reject, in double quotes at the end. It may be a credential. */
function withoutSource({ message }: Error): string {
  return message.replace(/(?<![,. ])[,. ]*".*/s, '') || 'unexpected text'
}

export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a parsed value is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonNumber(value)
}

/** Only numbers with 16 digits or more, a fraction or an exponent can be rounded. */
const MAY_ROUND = /\d{16}|\d[.eE]/

/** The exact value of a JSON number that `JSON.parse` reads as `value`. */
function toExactNumber(value: number, source: string): number | bigint | JsonNumber {
  if (Number.isSafeInteger(value) && isIntegral(source)) return value
  // A million digits would take `BigInt` a second.
  if (/^-?\d{1,1000}$/.test(source)) return BigInt(source)
  return Number.isFinite(value) && !Number.isInteger(value) ? value : rawJSON(source)
}

/** Decides by its digits whether a JSON number with a fraction or an exponent is a whole number. */
function isIntegral(source: string): boolean {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  // The number is its digits times a power of ten: 1.50e1 is 150 × 10 ** -1, and one of its zeros makes up for that.
  const digits = whole + fraction
  const power = Number(exponent) - fraction.length
  // The lookbehind tries each run of zeros once, not from each of its zeros.
  const zeros = digits.length - digits.replace(/(?<!0)0+$/, '').length
  return zeros === digits.length || zeros + power >= 0
}

/** The error for a value that JSON cannot represent. The message names the member. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError'
}

/**
 * The counterpart of `parseExactJson`: `JSON.stringify` where bigints and `JsonNumber`s keep all their digits. A value that
 * JSON cannot represent throws, where `JSON.stringify` may write `null` or `{}`. A member that is `undefined` is left out, as there.
 * @param subject The name of the value in messages.
 * @throws {UnwritableError}
 */
export function writeExactJson(value: unknown, subject = 'the value'): string {
  try {
    return JSON.stringify(value, function (this: JsonObject, key, converted: unknown) {
      // Not `converted`: users define `BigInt.prototype.toJSON`, which writes a string.
      const each = this[key]
      if (typeof each === 'bigint') return rawJSON(String(each))
      const isLeftOut = each === undefined && key !== ''
      const problem = isLeftOut ? undefined : explainUnwritable(converted)
      if (problem === undefined) return converted
      throw new UnwritableError(`${subject}${key && `: ${key}`} ${problem}, which JSON cannot represent`)
    })
  } catch (cause) {
    // A cycle is a TypeError, whose first line is a sentence, and a value that is nested too deeply a RangeError.
    if (!(cause instanceof TypeError || cause instanceof RangeError)) throw cause
    const [reason] = cause.message.split('\n')
    throw new UnwritableError(`${subject} cannot be written as JSON: ${reason}`, { cause })
  }
}

function explainUnwritable(value: unknown): string | undefined {
  if (typeof value === 'object')
    return value === null || Array.isArray(value) || isPlain(value) ? undefined : `is a ${toClassName(value)}`
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `is ${value}`
  return typeof value === 'string' || typeof value === 'boolean'
    ? undefined
    : `is ${value === undefined ? '' : 'a '}${typeof value}`
}

/** Whether an object is a literal, also of another realm, which has its own `Object.prototype`. Jest runs tests in one. */
export function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** The name of an object's class: `Promise`. */
export function toClassName(object: object): string {
  const name: unknown = Object.getPrototypeOf(object)?.constructor?.name
  return typeof name === 'string' && name !== '' ? name : 'class'
}
