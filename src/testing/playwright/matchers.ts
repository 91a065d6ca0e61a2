import type { RemoteMock } from '../../client/connect-mock.ts'
import type { PetIdLike } from '../../inventory/pet-id.ts'
import type { FaultOperation } from '../../sandbox/operation-selection.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { assertTarget } from '../matchers/assert-target.ts'
import type { MatcherResult } from '../matchers/matcher-result.ts'
import { type Expected, toFilter, toReceivedResult } from '../matchers/to-have-received.ts'
import { isNegated, toStockResult } from '../matchers/to-have-stock.ts'

/** The matcher `toHaveReceived`, for sandboxes in this process and on servers. */
export async function toHaveReceived(
  received: Pick<Sandbox | RemoteMock, 'journal' | 'name'>,
  operation: FaultOperation,
  expected: Expected = {},
): Promise<MatcherResult> {
  assertTarget(received, 'toHaveReceived')
  const { name, journal } = received
  const matching = await journal.find(toFilter(operation, expected))
  const entries = typeof journal.entries === 'function' ? await journal.entries() : journal.entries
  return toReceivedResult({ name, matching, entries }, operation, expected)
}

/** The matcher `toHaveStock`, for sandboxes in this process and on servers. */
export async function toHaveStock(
  this: unknown,
  received: Pick<Sandbox | RemoteMock, 'inventory'>,
  petId: PetIdLike,
  quantity: number,
): Promise<MatcherResult> {
  assertTarget(received, 'toHaveStock')
  const stock = (await received.inventory.get(petId))?.quantity
  return toStockResult(stock, { petId, quantity, isNot: isNegated(this) })
}
