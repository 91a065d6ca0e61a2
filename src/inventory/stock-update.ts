import * as v from 'valibot'
import { JsonNumber, type JsonObject } from '../http/exact-json.ts'
import { quote } from '../http/quote.ts'
import { type Schema, whole } from '../http/schema.ts'

/** The bounds of `quantity`, inclusive. */
export interface QuantityRange {
  /** @default -(2^53−1) */
  readonly min: number
  /** @default 2^53−1 */
  readonly max: number
}

/** The range in the specification: the integers that every client reads exactly. */
export const WIDEST_RANGE: QuantityRange = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }

/** What an update may contain. */
export interface UpdateRules {
  readonly quantity: QuantityRange
  /** Properties beside `quantity`. */
  readonly unknownProperties: 'accept' | 'reject'
}

/** A quantity that a user sets: any integer that every client reads exactly. `+ 0` turns -0 into 0. @internal */
export const QUANTITY: Schema<number> = v.pipe(
  whole(WIDEST_RANGE.min, WIDEST_RANGE.max, 'an integer from -(2^53-1) to 2^53-1'),
  v.transform((quantity) => quantity + 0),
)

/** A valid stock update, or the reason why it is invalid. */
type StockUpdate = { readonly quantity: number } | { readonly problem: string }

/** Validates the JSON body of a stock update against the schema InventoryUpdate. */
export function parseStockUpdate(body: JsonObject, { quantity: range, unknownProperties }: UpdateRules): StockUpdate {
  if (!Object.hasOwn(body, 'quantity')) return { problem: 'quantity is required' }
  if (unknownProperties === 'reject') {
    const unknown = Object.keys(body).find((name) => name !== 'quantity')
    if (unknown !== undefined)
      return { problem: `The body must have no property besides quantity, got ${quote(unknown)}` }
  }
  return parseQuantity(body['quantity'], range)
}

function parseQuantity(value: unknown, { min, max }: QuantityRange): StockUpdate {
  const quantity = Number.isInteger(value) ? (value as number) + 0 : undefined
  if (quantity !== undefined && quantity >= min && quantity <= max) return { quantity }
  const be = quantity !== undefined || isBeyondExact(value) ? `an integer from ${min} to ${max}` : 'an integer'
  return { problem: `quantity must be ${be}, got ${quote(value)}` }
}

/** Whether a number is beyond ±(2^53−1): a bigint always is, a `JsonNumber` by its value. */
function isBeyondExact(value: unknown): boolean {
  if (typeof value === 'bigint') return true
  return value instanceof JsonNumber && !Number.isSafeInteger(Math.trunc(Number(value.source)))
}
