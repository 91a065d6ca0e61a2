import { cut } from '../http/quote.ts'
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
    if (/^-?\d+$/.test(text) && number >= min && number <= max) return number
    throw new UsageError(`--${flag} must be a whole number from ${min} to ${max}, got ${JSON.stringify(cut(text))}.`)
  }
}

/** Makes the reader of a flag that takes one text. */
export function parseOnce(flag: string): (value: unknown) => string | undefined {
  return (value) => {
    if (value === undefined) return undefined
    if (Array.isArray(value)) throw new UsageError(`--${flag} is given ${value.length} times. Give it once.`)
    const text = String(value)
    if (text === '') throw new UsageError(`--${flag} needs a value.`)
    return text
  }
}

/** Reads a flag that may be given more than once; a comma separates values in one variable of the environment. */
export function parseList(value: unknown): string[] | undefined {
  if (value === undefined) return undefined
  return [value].flat().flatMap((each) => String(each).split(','))
}
