import { parseWith } from '../../http/schema.ts'
import { type PetIdLike, toPetKey } from '../../inventory/pet.ts'
import { QUANTITY } from '../../inventory/stock-update.ts'
import type { JournalEntry } from '../../sandbox/journal-entry.ts'
import { assertTarget, type Target } from './assert-target.ts'
import { compare, type MatcherResult } from './matcher-result.ts'

/** The matcher `toHaveStock`. */
export function toHaveStock(
  this: unknown,
  received: Target,
  petId: PetIdLike,
  quantity: number,
): MatcherResult | Promise<MatcherResult> {
  assertTarget(received, 'toHaveStock')
  const { inventory, journal } = received
  const entries = typeof journal.entries === 'function' ? journal.entries() : journal.entries
  return compare(inventory.get(petId), entries, (pet, entries) => {
    const result = toStockResult(pet?.quantity, { petId, quantity, isNot: isNegated(this) })
    return { ...result, message: () => `${result.message()}${describeUpdate(entries, petId)}` }
  })
}

/** Often the update was refused, or used the key of another sandbox. */
function describeUpdate(entries: readonly JournalEntry[], petId: PetIdLike): string {
  const updates = entries.filter(
    (entry) => entry.operation === 'updateInventory' && String(entry.petId) === toPetKey(petId),
  )
  const last = updates.at(-1)
  if (last === undefined) return ' This sandbox received no update of it.'
  return ` Its last update, ${last.request.body}, got ${last.answer === undefined ? 'no response' : `a ${last.answer.status}`}.`
}

/** The expected stock. */
interface ExpectedStock {
  readonly petId: PetIdLike
  readonly quantity: number
  /** With `not`. */
  readonly isNot: boolean
}

/**
 * @param stock `undefined` if the pet does not exist. That fails with `not`, too: the id is probably wrong.
 * @throws {MockError} `INVALID_OPTION` for a quantity that no pet can have, such as a string.
 */
function toStockResult(stock: number | undefined, { petId, quantity, isNot }: ExpectedStock): MatcherResult {
  parseWith(QUANTITY, quantity, { failure: 'Failed to compare a stock', subject: 'the quantity' })
  const pass = stock === undefined ? isNot : stock === quantity
  const missing = `it is not there.${isNot ? ` To expect no pet, use inventory.get(${petId}).` : ''}`
  const found = stock === undefined ? missing : `it has ${stock}.`
  return { pass, message: () => `Expected pet ${petId} ${pass ? 'not ' : ''}to have a stock of ${quantity}: ${found}` }
}

/** @param state What the runner passes to a matcher as `this`. */
function isNegated(state: unknown): boolean {
  return (state as { readonly isNot?: unknown } | undefined)?.isNot === true
}
