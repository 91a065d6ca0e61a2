import { parseWith } from '../../http/schema.ts'
import type { PetIdLike } from '../../inventory/pet-id.ts'
import { QUANTITY } from '../../inventory/stock-update.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { assertLocalTarget } from './assert-target.ts'
import type { MatcherResult } from './matcher-result.ts'

/** The matcher `toHaveStock`. */
export function toHaveStock(received: Pick<Sandbox, 'inventory'>, petId: PetIdLike, quantity: number): MatcherResult {
  assertLocalTarget(received, 'toHaveStock', 'expect(await remote.inventory.get(petId)).toMatchObject({ quantity })')
  return toStockResult(received.inventory.get(petId)?.quantity, petId, quantity)
}

/**
 * @param stock `undefined` if the pet does not exist.
 * @throws {MockError} `INVALID_OPTION` for a quantity that no pet can have, such as a string.
 */
export function toStockResult(stock: number | undefined, petId: PetIdLike, quantity: number): MatcherResult {
  parseWith(QUANTITY, quantity, { failure: 'Failed to compare a stock', subject: 'the quantity' })
  const found = stock === undefined ? 'it is not there' : `it has ${stock}`
  return {
    pass: stock === quantity,
    message: () => `Expected pet ${petId} ${stock === quantity ? 'not ' : ''}to have a stock of ${quantity}: ${found}.`,
  }
}
