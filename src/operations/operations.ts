import { OPERATIONS } from '../contract/operations.gen.ts'
import { createRouter, type RouteMatch, type Router } from '../http/router.ts'
import { defineUnspecified, type Operation, type OperationId } from './define-operation.ts'
import { listInventory } from './list-inventory.ts'
import { updateInventory } from './update-inventory.ts'

/** Every operation of the service. The compiler reports a missing operation of the contract. */
const OPERATIONS_BY_ID: { readonly [Id in OperationId]: Operation<Id> } = {
  listInventory,
  updateInventory,
  getPet: defineUnspecified('getPet'),
  listOrders: defineUnspecified('listOrders'),
}

/** In the order of the contract. */
export const OPERATION_LIST: readonly Operation[] = OPERATIONS.map(({ id }) => OPERATIONS_BY_ID[id])

/** The result of looking up an operation by method and path. */
export type OperationMatch = RouteMatch<Operation>

/** Finds the operation of a request by its method and its path below the base path: `/inventory/7`. */
export const matchOperation: Router<Operation> = createRouter(OPERATION_LIST)

const matchSpecified = createRouter(OPERATION_LIST.filter(({ specified }) => specified))

/**
 * Whether the specification defines the response: that of an operation, or the 405 of a path that has an operation with a
 * defined response.
 */
export function hasSpecifiedResponse(method: string, path: string): boolean {
  const match = matchOperation(method, path)
  return match.kind === 'found' ? match.route.specified : matchSpecified(method, path).kind !== 'unknown'
}
