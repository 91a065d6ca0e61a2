import { type InventoryItem, type PetId, toInventoryItem, toPetId } from '../inventory/pet.ts'
import type { StateChange } from '../store/inventory-state.ts'
import type { JournalEntry } from './journal-entry.ts'

/** An event in a sandbox. */
export type SandboxEvent =
  | StateChange
  | { readonly type: 'exchange'; readonly entry: JournalEntry }
  | { readonly type: 'journal-cleared' }
  /** A fault was added, removed or triggered. */
  | { readonly type: 'faults' }
  | { readonly type: 'delay' }
  /** The sandbox was removed. This is its last event. */
  | { readonly type: 'end' }

type SandboxListener = (event: SandboxEvent) => void

/** The event emitter of a sandbox. */
export interface SandboxEvents {
  /** Whether there are listeners. */
  readonly isWatched: boolean
  /** Calls `listener` for every event. Returns a function that unsubscribes. */
  subscribe(listener: SandboxListener): () => void
  emit(event: SandboxEvent): void
}

/** @param forward Called for every event, before the listeners. */
export function createSandboxEvents(forward: SandboxListener): SandboxEvents {
  return new Events(forward)
}

// The parts of a sandbox are classes: there may be thousands of sandboxes, and instances of a class share its methods.
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

/** A change of a sandbox's inventory. */
export type InventoryChange = { readonly sandbox: string } & (
  | { readonly type: 'pet'; readonly pet: InventoryItem }
  | { readonly type: 'pet-removed'; readonly petId: PetId }
  /** The whole state was replaced. */
  | { readonly type: 'state' }
  /** The sandbox was removed. If it is used again, it starts from the seed. */
  | { readonly type: 'sandbox-removed' }
)

/** Notifies listeners of changes in all sandboxes of a mock. */
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
      if (change !== undefined) for (const listener of listeners) call(listener, change)
    },
  }
}

/** The change is made already, so a listener that throws must not fail the request. */
function call(listener: (change: InventoryChange) => void, change: InventoryChange): void {
  try {
    listener(change)
  } catch (error) {
    console.error('A listener of mock.onChange failed:', error)
  }
}

function toInventoryChange(sandbox: string, event: SandboxEvent): InventoryChange | undefined {
  if (event.type === 'pet') return { sandbox, type: 'pet', pet: toInventoryItem(event.pet) }
  if (event.type === 'pet-removed') return { sandbox, type: 'pet-removed', petId: toPetId(event.petId) }
  if (event.type === 'end') return { sandbox, type: 'sandbox-removed' }
  return event.type === 'state' ? { sandbox, type: 'state' } : undefined
}
