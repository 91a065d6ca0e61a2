import type { components } from '../contract/openapi.gen.ts'
import { oneOf, type Schema } from '../http/schema.ts'

/** The state of a pet in the inventory. */
export type PetStatus = components['schemas']['PetStatus']

/** Every PetStatus. The compiler checks that the list matches the specification. */
export const PET_STATUSES: readonly PetStatus[] = Object.keys({
  available: true,
  pending: true,
  sold: true,
} satisfies Record<PetStatus, true>) as PetStatus[]

/** @internal */
export const PET_STATUS: Schema<PetStatus> = oneOf(PET_STATUSES)

export function isPetStatus(value: unknown): value is PetStatus {
  return PET_STATUSES.includes(value as PetStatus)
}
