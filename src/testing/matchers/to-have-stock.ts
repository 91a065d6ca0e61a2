import type { Sandbox } from '../../control/sandbox.ts'
import type { PetIdLike } from '../../inventory/pet-id.ts'
import type { MatcherResult } from './matcher-result.ts'

/** The matcher `toHaveStock`. */
export function toHaveStock(received: Pick<Sandbox, 'inventory'>, petId: PetIdLike, quantity: number): MatcherResult {
  const stock = received.inventory.get(petId)?.quantity
  const found = stock === undefined ? 'it is not there' : `it has ${stock}`
  return {
    pass: stock === quantity,
    message: () => `Expected pet ${petId} ${stock === quantity ? 'not ' : ''}to have a stock of ${quantity}: ${found}.`,
  }
}
