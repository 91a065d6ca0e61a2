import { OPERATIONS } from '../contract/operations.gen.ts'
import type { JsonObject } from '../http/exact-json.ts'
import type { Awaitable } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import type { PetKey } from '../inventory/pet.ts'
import type { Rules } from '../inventory/profile.ts'
import type { Cause, InventoryState } from '../store/inventory-state.ts'

/** An operation as generated from the contract. */
export type ContractOperation = (typeof OPERATIONS)[number]
export type OperationId = ContractOperation['id']

/** The parsed request. Its petId and JSON body are well-formed. */
export interface OperationRequest<Pet = PetKey | undefined, Body = JsonObject | undefined> {
  /** The id in the path; `undefined` if the path has none. */
  readonly petId: Pet
  /** The JSON object of the body, with exact numbers; `undefined` if the contract defines no body. */
  readonly body: Body
}

/** The context in which an operation handles a request. */
export interface OperationContext {
  /** The inventory of the API key's sandbox. */
  readonly state: Pick<InventoryState, 'get' | 'put' | 'values' | 'prepare' | 'toList'>
  /** The request, for the history. */
  readonly cause?: Cause
  readonly rules: Rules
}

/** Why a request gets a 400. */
export interface Invalid {
  readonly problem: string
}

/** The implementation of an operation. */
interface OperationBehaviour<Request, Input extends object> {
  /** Validates the request. Returns the input of `resolve`, or why the request is invalid. */
  parse(request: Request, context: OperationContext): Input | Invalid
  resolve(input: Input, context: OperationContext): Awaitable<WireResponse>
}

/** An operation of the service: its implementation, and its method, path and statuses from the contract. */
export type Operation = ContractOperation & OperationBehaviour<OperationRequest, object>

type RequestOf<Id, Row = Extract<ContractOperation, { id: Id }>> = OperationRequest<
  Row extends { petIdOf: string } ? PetKey : undefined,
  Row extends { hasBody: true } ? JsonObject : undefined
>

/**
 * Implements an operation of the contract.
 * @example
 * export const getPet = defineOperation('getPet', {
 *   parse: ({ petId }) => (petId === '0' ? { problem: 'petId must not be 0' } : { petId }),
 *   resolve({ petId }, { state, rules }) {
 *     const pet = state.get(petId)
 *     return pet === undefined ? createUnknownPetResponse(petId, rules) : createJsonResponse(200, toItemJson(pet))
 *   },
 * })
 */
export function defineOperation<Id extends OperationId, Input extends object>(
  id: Id,
  behaviour: OperationBehaviour<RequestOf<Id>, Input>,
): Operation {
  const contract = OPERATIONS.find((operation) => operation.id === id) as ContractOperation
  return { ...contract, ...(behaviour as unknown as OperationBehaviour<OperationRequest, object>) }
}
