import { OPERATIONS } from '../contract/operations.gen.ts'
import { createErrorResponse } from '../http/error-response.ts'
import { createRouter, type Router } from '../http/router.ts'
import { whenReady } from '../http/wire-request.ts'
import { createJsonResponse, type WireResponse } from '../http/wire-response.ts'
import { parseStockUpdate, toItemJson } from '../inventory/pet.ts'
import {
  type ContractOperation,
  createUnknownPetResponse,
  defineOperation,
  type Operation,
  type OperationId,
} from './operation.ts'

/** Every operation of the service. The compiler reports a missing operation of the contract. */
const OPERATIONS_BY_ID: Readonly<Record<OperationId, Operation>> = {
  listInventory: defineOperation('listInventory', {
    parse: () => ({}),
    resolve(_, { state }) {
      return whenReady(state.prepare(), () => createJsonResponse(200, state.toList()))
    },
  }),
  updateInventory: defineOperation('updateInventory', {
    parse({ petId, body }, { rules }) {
      const update = parseStockUpdate(body, rules)
      return 'problem' in update ? update : { petId, quantity: update.quantity }
    },
    resolve({ petId, quantity }, { state, cause, rules }) {
      // The pet can be gone by the time that the body has arrived.
      const pet = state.get(petId)
      if (pet === undefined) return createUnknownPetResponse(petId, rules)
      return createJsonResponse(200, toItemJson(state.put({ petId, quantity, status: pet.status }, cause)))
    },
  }),
  getPet: defineUnspecified('getPet'),
  listOrders: defineUnspecified('listOrders'),
}

/** In the order of the contract. */
export const OPERATION_LIST: readonly Operation[] = OPERATIONS.map(({ id }) => OPERATIONS_BY_ID[id])

/** Finds the operation of a request by its method and its path below the base path: `/inventory/7`. */
export const matchOperation: Router<Operation> = createRouter(OPERATION_LIST)

const matchSpecified = createRouter(OPERATION_LIST.filter(({ specified }) => specified))

/** Whether the specification defines the response: that of an operation, or the 405 of a path that has one. */
export function hasSpecifiedResponse(method: string, path: string): boolean {
  return matchSpecified(method, path).kind !== 'unknown'
}

/** Defines an operation that the specification names without its response. */
function defineUnspecified(id: OperationId): Operation {
  return defineOperation(id, { parse: () => ({}), resolve: () => createUnspecifiedResponse(OPERATIONS_BY_ID[id]) })
}

/** The 501 of an operation that the specification names without its response. */
export function createUnspecifiedResponse({ method, path }: ContractOperation, hint?: string): WireResponse {
  const handler = `http.${method.toLowerCase()}('*${path.replaceAll(/\{(\w+)\}/g, ':$1')}', resolver)`
  const advice = `Add a stub (option stubs, or petstore-mock serve --stubs FILE) or a handler of your own: mock.use(${handler}), or petstore-mock serve --handlers FILE.`
  const fact = `The specification names ${method} ${path} but does not define its response.`
  return createErrorResponse('not_specified', `${fact} ${hint ?? advice}`)
}
