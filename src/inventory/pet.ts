import * as v from 'valibot'
import type { components } from '../contract/openapi.gen.ts'
import { type Bytes, join } from '../http/bytes.ts'
import { isJsonNumber, type JsonNumber, type JsonObject } from '../http/exact-json.ts'
import { quote } from '../http/quote.ts'
import { must, object, oneOf, parseWith, type Schema, whole } from '../http/schema.ts'

/** One entry of the inventory. Immutable, so that tables and snapshots can share it. */
export interface Pet {
  readonly petId: PetKey
  readonly quantity: number
  readonly status: PetStatus
}

/** One entry of the inventory, as you get it. */
export interface InventoryItem {
  /** A number where it is exactly representable, otherwise a bigint. */
  readonly petId: PetId
  /** The number in stock. */
  readonly quantity: number
  /** One of `available`, `pending` and `sold`. */
  readonly status: PetStatus
}

export function toInventoryItem({ petId, quantity, status }: Pet): InventoryItem {
  return { petId: toPetId(petId), quantity, status }
}

/** The pet as JSON. Its key is already the exact JSON number of the id. */
export function toItemJson({ petId, quantity, status }: Pet): string {
  return `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`
}

const encoder = new TextEncoder()

/** In characters. An engine takes three times as long for one text of a hundred thousand pets. */
const LONGEST_PIECE = 16_384

/** The list of the pets, as JSON. */
export function writePetList(pets: Iterable<Pet>): Bytes {
  const pieces: Bytes[] = []
  let text = '['
  let comma = ''
  for (const pet of pets) {
    text += comma + toItemJson(pet)
    comma = ','
    if (text.length < LONGEST_PIECE) continue
    pieces.push(encoder.encode(text))
    text = ''
  }
  pieces.push(encoder.encode(`${text}]`))
  return join(pieces)
}

/** An int64 in decimal digits without leading zeros. Pets are looked up by this string, because a number could be rounded. */
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

/**
 * Parses an id from any source. Returns `undefined` unless it is an int64. Unsafe integers are rejected: they may be
 * rounded.
 */
export function parsePetKey(id: unknown): PetKey | undefined {
  // `String` writes -0 as `0`.
  const text = typeof id === 'bigint' || Number.isSafeInteger(id) ? String(id) : id
  return typeof text === 'string' && isPetKey(text) ? text : undefined
}

const mustBeInt64 = must('an int64: a safe integer, a bigint or a string of digits without leading zeros')

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
  return parseWith(PET_KEY, id, { failure: 'Failed to read a petId', subject: 'the id', code: 'INVALID_PET' })
}

export function toPetId(key: PetKey): PetId {
  const value = Number(key)
  return Number.isSafeInteger(value) ? value : BigInt(key)
}

/** The state of a pet in the inventory. */
export type PetStatus = components['schemas']['PetStatus']

/** Every PetStatus. The compiler checks that the list matches the specification. */
export const PET_STATUSES: readonly PetStatus[] = Object.keys({
  available: true,
  pending: true,
  sold: true,
} satisfies Record<PetStatus, true>) as PetStatus[]

/** @internal */
export const PET_STATUS: Schema<PetStatus> = oneOf(PET_STATUSES)

/** The bounds of `quantity`, inclusive. */
export interface QuantityRange {
  /** @default -(2^53−1) */
  readonly min: number
  /** @default 2^53−1 */
  readonly max: number
}

/** The range in the specification: the integers that every client reads exactly. */
export const WIDEST_RANGE: QuantityRange = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }

/** A quantity that a user sets: any integer that every client reads exactly. `+ 0` turns -0 into 0. @internal */
export const QUANTITY: Schema<number> = v.pipe(
  whole(WIDEST_RANGE.min, WIDEST_RANGE.max, 'an integer from -(2^53-1) to 2^53-1'),
  v.transform((quantity) => quantity + 0),
)

/** A pet as a user may give it. @internal */
export const PET: Schema<Pet> = object<Pet>({ petId: PET_KEY, quantity: QUANTITY, status: PET_STATUS })

/** Validates like PET, but faster. Returns `undefined` for an invalid pet, without the reason. */
export function readPet(petId: unknown, quantity: unknown, status: unknown): Pet | undefined {
  const key = parsePetKey(petId)
  const isStatus = PET_STATUSES.includes(status as PetStatus)
  if (key === undefined || !Number.isSafeInteger(quantity) || !isStatus) return undefined
  // `+ 0` turns -0 into 0.
  return { petId: key, quantity: (quantity as number) + 0, status: status as PetStatus }
}

/** The points of a profile that concern the body of an update. */
type UpdateRules = { readonly quantity: QuantityRange; readonly unknownProperties: 'accept' | 'reject' }

/** A valid stock update, or the reason why it is invalid. */
type StockUpdate = { readonly quantity: number } | { readonly problem: string }

/** Validates the JSON body of a stock update against the schema InventoryUpdate. */
export function parseStockUpdate(body: JsonObject, { quantity: range, unknownProperties }: UpdateRules): StockUpdate {
  if (!Object.hasOwn(body, 'quantity')) return { problem: 'quantity is required' }
  const unknown = Object.keys(body).find((name) => name !== 'quantity')
  if (unknown !== undefined && unknownProperties === 'reject')
    return { problem: `The body must have no property besides quantity, got ${quote(unknown)}` }
  const value = body['quantity']
  const isInteger = typeof value === 'number' && Number.isInteger(value)
  if (isInteger && value >= range.min && value <= range.max) return { quantity: value + 0 }
  const isBeyond = isInteger || typeof value === 'bigint' || (isJsonNumber(value) && !isSafe(value))
  const be = isBeyond ? `an integer from ${range.min} to ${range.max}` : 'an integer'
  return { problem: `quantity must be ${be}, got ${quote(value)}` }
}

function isSafe({ rawJSON: source }: JsonNumber): boolean {
  return Number.isSafeInteger(Math.trunc(Number(source)))
}
