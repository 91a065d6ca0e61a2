import { type PetId, toPetId } from '../inventory/pet-id.ts'
import { type InventoryItem, toInventoryItem } from '../store/inventory-item.ts'
import type { SandboxEvent } from './events.ts'

/** What changed in the inventory of a sandbox. */
export type InventoryChange = { readonly sandbox: string } & (
  | { readonly type: 'pet'; readonly pet: InventoryItem }
  | { readonly type: 'pet-removed'; readonly petId: PetId }
  /** The state as a whole is another. */
  | { readonly type: 'state' }
  /** The sandbox was forgotten; its next use begins at the seed. */
  | { readonly type: 'sandbox-removed' }
)

/** The changes of all sandboxes of a mock, for those who follow them. */
export interface Changes {
  subscribe(listener: (change: InventoryChange) => void): () => void
  notify(sandbox: string, event: SandboxEvent): void
}

export function createChanges(): Changes {
  const listeners = new Set<(change: InventoryChange) => void>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify(sandbox, event) {
      if (listeners.size === 0) return
      const change = toInventoryChange(sandbox, event)
      if (change !== undefined) for (const listener of listeners) listener(change)
    },
  }
}

function toInventoryChange(sandbox: string, event: SandboxEvent): InventoryChange | undefined {
  if (event.type === 'pet') return { sandbox, type: 'pet', pet: toInventoryItem(event.pet) }
  if (event.type === 'pet-removed') return { sandbox, type: 'pet-removed', petId: toPetId(event.petId) }
  if (event.type === 'end') return { sandbox, type: 'sandbox-removed' }
  return event.type === 'state' ? { sandbox, type: 'state' } : undefined
}
