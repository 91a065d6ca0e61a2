import { OPERATIONS } from '../contract/operations.gen.ts'
import { createErrorResponse } from '../http/error-response.ts'
import type { PathParams } from '../http/router.ts'
import type { WireResponse } from '../http/wire-response.ts'
import type { PetKey } from '../inventory/pet-id.ts'
import type { QuantityRange } from '../inventory/stock-update.ts'
import type { InventoryState } from '../store/inventory-state.ts'

/** An operation as the contract has it. */
export type ContractOperation = Pick<Row, keyof Row>
type Row = (typeof OPERATIONS)[number]
export type OperationId = Row['id']

/** Where a request names a pet: a parameter of the path, or a property of the JSON body. */
export type PetIdSource = { readonly in: 'path' | 'body'; readonly name: string }

/** An operation of the service: what the contract says of it, and what it does. */
export interface Operation extends ContractOperation {
  /** `undefined`: the operation is about no single pet. Faults and the journal find a request by its pet. */
  readonly petIdOf: PetIdSource | undefined
  /** From what was sent to a function that gives the response. Answers 400 where it is not understood. */
  readonly answer: (request: OperationRequest, context: OperationContext) => AwaitableAnswer
}

type AwaitableAnswer = WireResponse | Promise<WireResponse>

/** What an operation is asked, read: the key is valid, and the pet's id and the JSON body are well-formed. */
export interface OperationRequest<Pet = PetKey | undefined> {
  readonly params: PathParams
  /** The id that `petIdOf` names; a body may leave it out. */
  readonly petId: Pet
  /** The JSON of the body, numbers exact; `undefined` where the contract has none. */
  readonly body: unknown
}

/** What an operation has at hand. */
export interface OperationContext {
  /** The inventory of the sandbox that the key opens. */
  readonly state: InventoryState
  readonly quantityRange: QuantityRange
}

/** The sentence of a 400. */
export interface Problem {
  readonly problem: string
}

/** What an operation does. Method, path and statuses are those of the contract. */
export interface OperationBehaviour<Input extends object, Source extends PetIdSource | undefined> {
  readonly petIdOf?: Source
  /** From what was sent to what `resolve` needs, or the problem with it. */
  readonly parse: (request: OperationRequest<PetOf<Source>>, context: OperationContext) => Input | Problem
  readonly resolve: (input: Input, context: OperationContext) => AwaitableAnswer
}

/** A path always names its pet. */
type PetOf<Source> = Source extends { readonly in: 'path' } ? PetKey : PetKey | undefined

/**
 * Defines what the service does for an operation of the contract.
 * @example
 * export const getPet = defineOperation('getPet', {
 *   petIdOf: { in: 'path', name: 'petId' },
 *   parse: ({ petId }) => ({ petId }),
 *   resolve: ({ petId }, { state }) => createJsonAnswer(200, toItemJson(state.get(petId))),
 * })
 */
export function defineOperation<Input extends object, const Source extends PetIdSource | undefined = undefined>(
  id: OperationId,
  { petIdOf, parse, resolve }: OperationBehaviour<Input, Source>,
): Operation {
  return {
    ...findContract(id),
    petIdOf,
    answer(request, context) {
      const input = parse(request as OperationRequest<PetOf<Source>>, context)
      if ('problem' in input) return createErrorResponse('invalid_request', (input as Problem).problem)
      return resolve(input as Input, context)
    },
  }
}

/** Defines an operation that the specification names and does not show: it answers 501. */
export function defineUnspecified(id: OperationId, { petIdOf }: { readonly petIdOf?: PetIdSource } = {}): Operation {
  const { method, path } = findContract(id)
  const handler = `http.${method.toLowerCase()}('*${path.replaceAll(/\{(\w+)\}/g, ':$1')}', resolver)`
  return defineOperation(id, {
    ...(petIdOf !== undefined && { petIdOf }),
    parse: () => ({}),
    resolve: () =>
      createErrorResponse(
        'not_specified',
        `${method} ${path} is named in the specification, which does not show its response. Give the mock a handler of your own: mock.use(${handler}), or petstore-mock serve --handlers FILE.`,
      ),
  })
}

function findContract(id: OperationId): ContractOperation {
  return OPERATIONS.find((operation) => operation.id === id) as ContractOperation
}
