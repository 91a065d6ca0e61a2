import { listInventory } from './list-inventory.ts'
import { notSpecified } from './not-specified.ts'
import type { OperationHandler } from './operation-handler.ts'
import type { OperationId } from './route.ts'
import { updateInventory } from './update-inventory.ts'

/** Who answers what; the compiler asks for every operation of the specification. */
export const OPERATION_HANDLERS: Readonly<Record<OperationId, OperationHandler>> = {
  listInventory,
  updateInventory,
  getPet: notSpecified,
  listOrders: notSpecified,
}
