import { OPERATIONS } from '../contract/operations.gen.ts'
import { createErrorResponse } from '../http/error-response.ts'
import type { JsonObject } from '../http/exact-json.ts'
import type { PathParams } from '../http/router.ts'
import type { Awaitable } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import type { PetKey } from '../inventory/pet.ts'
import type { Rules } from '../inventory/profile.ts'
import type { InventoryState } from '../store/inventory-state.ts'

/** An operation as generated from the contract. */
export interface ContractOperation extends Omit<Row, 'petIdOf'> {
  /** Lets faults and the journal find requests by pet. `undefined` if the operation does not concern a single pet. */
  readonly petIdOf: PetIdSource | undefined
}
type Row = (typeof OPERATIONS)[number]
export type OperationId = Row['id']

/** Where a request has its petId: in a path parameter, or in a property of the JSON body. */
type PetIdSource = { readonly in: 'path' | 'body'; readonly name: string }

/** An operation of the service: its contract and its implementation. */
export interface Operation<Id extends OperationId = OperationId> extends ContractOperation {
  readonly id: Id
  /** Validates a request. Returns the function that carries it out, or a problem. */
  readonly prepare: (request: OperationRequest, context: OperationContext) => (() => Awaitable<WireResponse>) | Problem
}

/** The parsed request. Its petId and JSON body are well-formed. */
export interface OperationRequest<Pet = PetKey | undefined, Body = JsonObject | undefined> {
  readonly params: PathParams
  /** The id from `petIdOf`; `undefined` if a body omits it. */
  readonly petId: Pet
  /** The JSON object of the body, with exact numbers; `undefined` if the contract defines no body. */
  readonly body: Body
}

/** The petId of a path as it stands there, decoded; `undefined` if this operation has none in its path. */
export function findPathPetId({ petIdOf }: Pick<Operation, 'petIdOf'>, params: PathParams): string | undefined {
  return petIdOf?.in === 'path' ? params[petIdOf.name] : undefined
}

/** The context in which an operation handles a request. */
export interface OperationContext {
  /** The inventory of the API key's sandbox. */
  readonly state: InventoryState
  readonly rules: Rules
}

/** The message of a 400 response. */
export interface Problem {
  readonly problem: string
}

/** Makes the result of a `parse` that rejects a request. */
export function refuse(problem: string): Problem {
  return { problem }
}

/** The implementation of an operation. Its method, path and statuses come from the contract. */
export interface OperationBehaviour<Id extends OperationId, Input extends object> {
  /** Validates the request. Returns the input of `resolve`, or a problem. */
  readonly parse: (request: RequestOf<Id>, context: OperationContext) => Input | Problem
  readonly resolve: (input: Input, context: OperationContext) => Awaitable<WireResponse>
}

/** A path parameter is always present; a body property may be missing. */
type RequestOf<Id> = OperationRequest<
  RowOf<Id>['petIdOf'] extends { readonly in: 'path' } ? PetKey : PetKey | undefined,
  RowOf<Id>['hasBody'] extends true ? JsonObject : undefined
>
type RowOf<Id> = Extract<Row, { id: Id }>

/**
 * Implements an operation of the contract.
 * @example
 * export const getPet = defineOperation('getPet', {
 *   parse: ({ petId }) => (petId === '0' ? refuse('petId must not be 0') : { petId }),
 *   resolve({ petId }, { state, rules }) {
 *     const pet = state.get(petId)
 *     return pet === undefined ? createUnknownPetResponse(petId, rules) : createJsonResponse(200, toItemJson(pet))
 *   },
 * })
 */
export function defineOperation<Id extends OperationId, Input extends object>(
  id: Id,
  { parse, resolve }: OperationBehaviour<Id, Input>,
): Operation<Id> {
  return {
    ...findContract(id),
    id,
    prepare(request, context) {
      const input = parse(request as RequestOf<Id>, context)
      return 'problem' in input ? (input as Problem) : () => resolve(input as Input, context)
    },
  }
}

/** Defines an operation that the specification names without its response. It responds with 501. */
export function defineUnspecified<Id extends OperationId>(id: Id): Operation<Id> {
  const contract = findContract(id)
  const { method, path } = contract
  const handler = `http.${method.toLowerCase()}('*${path.replaceAll(/\{(\w+)\}/g, ':$1')}', resolver)`
  const advice = `Add a stub (option stubs, or petstore-mock serve --stubs FILE) or a handler of your own: mock.use(${handler}), or petstore-mock serve --handlers FILE.`
  return defineOperation(id, { parse: () => ({}), resolve: () => createUnspecifiedResponse(contract, advice) })
}

/** The 501 of an operation that the specification names without its response. */
export function createUnspecifiedResponse(
  { method, path }: Pick<ContractOperation, 'method' | 'path'>,
  advice: string,
): WireResponse {
  const fact = `The specification names ${method} ${path} but does not define its response`
  return createErrorResponse('not_specified', `${fact}. ${advice}`)
}

function findContract(id: OperationId): ContractOperation {
  return OPERATIONS.find((operation) => operation.id === id) as ContractOperation
}
