import { type PetId, toPetId } from '../inventory/pet-id.ts'
import type { StateChange } from '../store/inventory-state.ts'
import { type InventoryItem, toInventoryItem } from '../store/pet-table.ts'
import type { JournalEntry } from './journal-entry.ts'

/** What happens in a sandbox. */
export type SandboxEvent =
  | StateChange
  | { readonly type: 'exchange'; readonly entry: JournalEntry }
  | { readonly type: 'journal-cleared' }
  /** Faults were added or taken back, or one struck. */
  | { readonly type: 'faults' }
  | { readonly type: 'delay' }
  /** The sandbox was forgotten; nothing comes after it. */
  | { readonly type: 'end' }

export type SandboxListener = (event: SandboxEvent) => void

/** Tells of what happens in one sandbox, while it happens. */
export interface SandboxEvents {
  /** Whether anybody listens. */
  readonly isWatched: boolean
  /** Calls `listener` at every event until what it gives back is called. */
  subscribe(listener: SandboxListener): () => void
  emit(event: SandboxEvent): void
}

/** @param forward Told of every event, before those who listen. */
export function createSandboxEvents(forward: SandboxListener): SandboxEvents {
  return new Events(forward)
}

// Classes where a sandbox has its parts: there may be thousands of sandboxes, and methods of a class are shared.
class Events implements SandboxEvents {
  readonly #forward: SandboxListener
  #listeners: Set<SandboxListener> | undefined

  constructor(forward: SandboxListener) {
    this.#forward = forward
  }

  get isWatched(): boolean {
    return this.#listeners !== undefined && this.#listeners.size > 0
  }

  subscribe(listener: SandboxListener): () => void {
    this.#listeners ??= new Set()
    this.#listeners.add(listener)
    return () => void this.#listeners?.delete(listener)
  }

  emit(event: SandboxEvent): void {
    this.#forward(event)
    for (const listener of this.#listeners ?? []) listener(event)
  }
}

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
