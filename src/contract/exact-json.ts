/**
 * A JSON number that neither a JavaScript number nor a bigint says exactly, kept as it was written:
 * `5.00000000000000000001`, or `1e400`.
 */
export class JsonNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown

/**
 * `JSON.parse` that rounds nothing: an integer beyond ±(2^53−1) comes as a bigint, a number that a double would round
 * to an integer as a `JsonNumber`, all others as numbers. `5.0` and `5e0` are the integer 5, as in JSON Schema.
 *
 * A runtime without the source of a parsed number (https://github.com/tc39/proposal-json-parse-with-source) gives
 * what `JSON.parse` gives.
 * @throws {SyntaxError} when `text` is not JSON.
 */
export function parseExactJson(text: string): unknown {
  if (!MAY_ROUND.test(text)) return JSON.parse(text)
  return JSON.parse(text, reviveExactly as Parameters<typeof JSON.parse>[1])
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
