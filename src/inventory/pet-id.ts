import * as v from 'valibot'
import { must, parseWith, type Schema } from '../http/schema.ts'

/** An int64 in canonical decimal form. Pets are looked up by this string, because a number could be rounded. */
export type PetKey = string

/** A pet's id as you get it: a number where it is exactly representable, otherwise a bigint. */
export type PetId = number | bigint

/** A pet's id as you may pass it. A string holds the decimal form. */
export type PetIdLike = number | bigint | string

const CANONICAL = /^(?:0|-?[1-9][0-9]{0,18})$/
const MIN = -(2n ** 63n)
const MAX = 2n ** 63n - 1n

/** Whether a text is an int64 in canonical form: in range, without `+`, leading zeros or `-0`. */
export function isPetKey(text: string): text is PetKey {
  if (!CANONICAL.test(text)) return false
  if (text.length < 19) return true
  const value = BigInt(text)
  return value >= MIN && value <= MAX
}

/** Whether a text is an integer in canonical form that no int64 can hold. */
export function isBeyondInt64(text: string): boolean {
  return /^-?[1-9]\d{18,}$/.test(text) && !isPetKey(text)
}

/**
 * Parses an id from any source. Returns `undefined` unless it is an int64. Unsafe integers are rejected: they may be
 * rounded.
 */
export function parsePetKey(id: unknown): PetKey | undefined {
  const text = toDigits(id)
  return text !== undefined && isPetKey(text) ? text : undefined
}

const mustBeInt64 = must('an int64: a safe integer, a bigint or a string of decimal digits')

/** Parses an id to its key. @internal */
export const PET_KEY: Schema<PetKey> = v.pipe(
  v.custom<PetIdLike>(
    (id) => parsePetKey(id) !== undefined,
    (issue) =>
      Number.isInteger(issue.input)
        ? `${mustBeInt64(issue)}; write it as a string, because a number this large is rounded`
        : mustBeInt64(issue),
  ),
  v.transform((id) => parsePetKey(id) as PetKey),
)

/**
 * Converts an id to its key.
 * @throws {MockError} `INVALID_PET` unless it is an int64. A number must be a safe integer.
 */
export function toPetKey(id: PetIdLike): PetKey {
  return (
    parsePetKey(id) ??
    parseWith(PET_KEY, id, { failure: 'Failed to read a petId', subject: 'the id', code: 'INVALID_PET' })
  )
}

export function toPetId(key: PetKey): PetId {
  const value = Number(key)
  return Number.isSafeInteger(value) ? value : BigInt(key)
}

/** `String` writes -0 as `0`. */
function toDigits(id: unknown): string | undefined {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : undefined
  if (typeof id === 'bigint') return String(id)
  return typeof id === 'string' ? id : undefined
}
