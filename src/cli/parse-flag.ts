import { JsonNumber } from '../http/exact-json.ts'
import { isSecretName } from '../http/hide-credentials.ts'
import { cut, quote } from '../http/quote.ts'
import { parseOr, type Schema } from '../http/schema.ts'
import { DELAY_FLAG } from '../sandbox/delay.ts'
import { UsageError } from './io.ts'

/** Returns the parser of a flag that takes a whole number. */
export function parseWhole(
  flag: string,
  { min, max }: { min: number; max: number },
): (value: unknown) => number | undefined {
  return (value) => {
    const text = parseOnce(flag)(value)
    if (text === undefined) return undefined
    const number = Number(text)
    // Turns -0 into 0.
    if (/^-?\d+$/.test(text) && number >= min && number <= max) return number + 0
    throw new UsageError(`--${flag} must be a whole number from ${min} to ${max}, got ${JSON.stringify(cut(text))}.`)
  }
}

/** Returns the parser of a flag that takes a single string. */
export function parseOnce(flag: string): (value: unknown) => string | undefined {
  return (value) => {
    if (value === undefined) return undefined
    if (Array.isArray(value) && value.length > 1)
      throw new UsageError(`--${flag} is given ${value.length} times. Pass it once.`)
    const text = toText(flag, value)
    if (text === '') throw new UsageError(`--${flag} needs a value.`)
    return text
  }
}

/** Returns a parser that checks a string with a schema; the flag's user parses it again. */
export function parseText(flag: string, schema: Schema<unknown>): (value: unknown) => string | undefined {
  return (value) => {
    const text = parseOnce(flag)(value)
    if (text !== undefined)
      parseOr(schema, text, { subject: `--${flag}`, refuse: (sentence) => new UsageError(sentence) })
    return text
  }
}

/** Parses `--delay`. The library takes a range as a list; a config file takes it as one string, like the flag. */
export function parseDelay(value: unknown): string | undefined {
  if (Array.isArray(value) && value.length === 2 && value.every((bound) => typeof bound !== 'string')) {
    const range = value.map((bound) => toText('delay', bound)).join('-')
    throw new UsageError(`--delay must be one value: write "${range}".`)
  }
  return parseText('delay', DELAY_FLAG)(value)
}

/** Returns the parser of a repeatable flag. Commas separate values, so that one environment variable can hold several. */
export function parseList(flag: string): (value: unknown) => string[] | undefined {
  return (value) => {
    if (value === undefined) return undefined
    return [value].flat().flatMap((each) => toText(flag, each).split(','))
  }
}

/** A config file may contain numbers; any other type is a mistake. */
function toText(flag: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof JsonNumber) return value.source
  const got = isSecretName(flag) ? `a value of type ${Array.isArray(value) ? 'array' : typeof value}` : quote(value)
  throw new UsageError(`--${flag} must be a string or a number, got ${got}.`)
}
