import { type PetId, toPetId } from '../inventory/pet-id.ts'
import type { PetStatus } from '../inventory/pet-status.ts'
import type { Pet } from './pet-table.ts'

/** One entry of the inventory, as programs get it. */
export interface InventoryItem {
  /** A number where that is exact, else a bigint. */
  readonly petId: PetId
  readonly quantity: number
  readonly status: PetStatus
}

export function toInventoryItem({ petId, quantity, status }: Pet): InventoryItem {
  return { petId: toPetId(petId), quantity, status }
}

/** The entry on the wire. The key is the id's canonical decimal form, and so its JSON number, exact at any size. */
export function toItemJson({ petId, quantity, status }: Pet): string {
  return `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`
}
