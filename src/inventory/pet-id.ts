import { MockError } from '../http/mock-error.ts'
import { quote } from '../http/quote.ts'

/** An int64 in canonical decimal form: what a pet is looked up by, so that every int64 is a pet of its own. */
export type PetKey = string

/** A pet's id as a program gets it: a number where that is exact, else a bigint. */
export type PetId = number | bigint

/** A pet's id as a program may give it; a string holds the decimal form. */
export type PetIdLike = number | bigint | string

const CANONICAL = /^(?:0|-?[1-9][0-9]{0,18})$/
const MIN = -(2n ** 63n)
const MAX = 2n ** 63n - 1n

/** Whether a text is an int64 in canonical form: no sign but `-`, no leading zero, no `-0`, in range. */
export function isPetKey(text: string): text is PetKey {
  if (!CANONICAL.test(text)) return false
  if (text.length < 19) return true
  const value = BigInt(text)
  return value >= MIN && value <= MAX
}

/** The key of an id of unknown making; `undefined` for what is no int64. A number must be exact: a rounded one is another pet. */
export function parsePetKey(id: unknown): PetKey | undefined {
  const text = toDigits(id)
  return text !== undefined && isPetKey(text) ? text : undefined
}

/**
 * The key of an id that a program gave.
 * @throws {MockError} `INVALID_PET` when it is no int64; a number must be exact.
 */
export function toPetKey(id: PetIdLike): PetKey {
  const key = parsePetKey(id)
  if (key !== undefined) return key
  throw new MockError(
    'INVALID_PET',
    `Failed to read a petId: ${quote(id)} is not an int64 that can be told exactly. Give a safe integer, a bigint or a string of decimal digits.`,
  )
}

export function toPetId(key: PetKey): PetId {
  const value = Number(key)
  return Number.isSafeInteger(value) ? value : BigInt(key)
}

/** -0 is the number 0. */
function toDigits(id: unknown): string | undefined {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : undefined
  if (typeof id === 'bigint') return String(id)
  return typeof id === 'string' ? id : undefined
}
