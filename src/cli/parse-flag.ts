import { JsonNumber } from '../http/exact-json.ts'
import { cut, quote } from '../http/quote.ts'
import { parseOr, type Schema } from '../http/schema.ts'
import { UsageError } from './io.ts'

/** Makes the reader of a flag that takes a whole number. */
export function parseWhole(
  flag: string,
  { min, max }: { min: number; max: number },
): (value: unknown) => number | undefined {
  return (value) => {
    const text = parseOnce(flag)(value)
    if (text === undefined) return undefined
    const number = Number(text)
    // -0 is the number 0.
    if (/^-?\d+$/.test(text) && number >= min && number <= max) return number + 0
    throw new UsageError(`--${flag} must be a whole number from ${min} to ${max}, got ${JSON.stringify(cut(text))}.`)
  }
}

/** Makes the reader of a flag that takes one text. */
export function parseOnce(flag: string): (value: unknown) => string | undefined {
  return (value) => {
    if (value === undefined) return undefined
    if (Array.isArray(value) && value.length > 1)
      throw new UsageError(`--${flag} is given ${value.length} times. Give it once.`)
    const text = toText(flag, value)
    if (text === '') throw new UsageError(`--${flag} needs a value.`)
    return text
  }
}

/** Makes the reader of a flag that takes one text, which is checked here and read where it is used. */
export function parseText(flag: string, schema: Schema<unknown>): (value: unknown) => string | undefined {
  return (value) => {
    const text = parseOnce(flag)(value)
    if (text !== undefined)
      parseOr(schema, text, { subject: `--${flag}`, refuse: (sentence) => new UsageError(sentence) })
    return text
  }
}

/** Makes the reader of a flag that may be given more than once; a comma separates values in one variable of the environment. */
export function parseList(flag: string): (value: unknown) => string[] | undefined {
  return (value) => {
    if (value === undefined) return undefined
    return [value].flat().flatMap((each) => toText(flag, each).split(','))
  }
}

/** A config file may say a number, and anything else by mistake. */
function toText(flag: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof JsonNumber) return value.source
  throw new UsageError(`--${flag} must be a text or a number, got ${quote(value)}.`)
}
