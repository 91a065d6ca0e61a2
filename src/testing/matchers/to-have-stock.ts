import type { PetIdLike } from '../../inventory/pet-id.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { MatcherResult } from './matcher-result.ts'

/** The matcher `toHaveStock`. */
export function toHaveStock(received: Pick<Sandbox, 'inventory'>, petId: PetIdLike, quantity: number): MatcherResult {
  return toStockResult(received.inventory.get(petId)?.quantity, petId, quantity)
}

/** @param stock `undefined` if the pet does not exist. */
export function toStockResult(stock: number | undefined, petId: PetIdLike, quantity: number): MatcherResult {
  const found = stock === undefined ? 'it is not there' : `it has ${stock}`
  return {
    pass: stock === quantity,
    message: () => `Expected pet ${petId} ${stock === quantity ? 'not ' : ''}to have a stock of ${quantity}: ${found}.`,
  }
}
