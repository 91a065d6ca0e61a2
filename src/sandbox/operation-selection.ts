import { OPERATIONS } from '../contract/operations.gen.ts'
import { oneOf, type Schema, selector } from '../http/schema.ts'
import { PET_KEY, type PetKey } from '../inventory/pet.ts'

/** The name of an operation. */
export type FaultOperation = (typeof OPERATIONS)[number]['id']

export const OPERATION_IDS: readonly FaultOperation[] = OPERATIONS.map(({ id }) => id)

/** The property `operation` of a fault or a journal filter. @internal */
export const OPERATION: Schema<FaultOperation> = selector(oneOf(OPERATION_IDS), 'match every operation')
/** The property `petId` of a fault or a journal filter. @internal */
export const SELECTED_PET: Schema<PetKey> = selector(PET_KEY, 'match every pet')

/** The part of a fault or a journal filter that selects requests. */
interface Selection {
  readonly operation?: FaultOperation
  readonly petId?: PetKey
  readonly body?: unknown
}

/** The operations that do not concern a single pet. */
const WITHOUT_PET: readonly unknown[] = OPERATIONS.filter(({ petIdOf }) => petIdOf === undefined).map(({ id }) => id)
/** The operations whose requests have no body. */
const WITHOUT_BODY: readonly unknown[] = OPERATIONS.filter(({ hasBody }) => !hasBody).map(({ id }) => id)

/** Whether requests of the operation can concern the pet. @internal */
export function canHavePet({ operation, petId }: Selection): boolean {
  return petId === undefined || !WITHOUT_PET.includes(operation)
}

/** @internal */
export function explainPet({ input }: { readonly input: Selection }): string {
  return `petId cannot be used with ${input.operation}, which does not concern a single pet`
}

/** Whether requests of the operation can have the body. @internal */
export function canHaveBody({ operation, body }: Selection): boolean {
  return body === undefined || !WITHOUT_BODY.includes(operation)
}

/** @internal */
export function explainBody({ input }: { readonly input: Selection }): string {
  return `body cannot be used with ${input.operation}, which has no request body`
}
