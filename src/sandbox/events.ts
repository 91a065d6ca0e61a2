import { type InventoryItem, type PetId, toInventoryItem, toPetId } from '../inventory/pet.ts'
import type { StateChange } from '../store/inventory-state.ts'
import type { JournalEntry } from './journal-entry.ts'

/** The maximum number of open event streams of a mock. With the limit on what each holds, they hold at most 64 MB. */
export const MOST_STREAMS = 64

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

/** Event listeners. A class, as there may be thousands of sandboxes, and its instances share the methods. */
export class Listeners<Event> {
  readonly #forward: (event: Event) => void
  readonly #listeners = new Set<(event: Event) => void>()

  /** @param forward Called for every event, before the listeners. */
  constructor(forward: (event: Event) => void = () => {}) {
    this.#forward = forward
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0
  }

  /** Calls `listener` for every event. Returns a function that unsubscribes. */
  subscribe(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  emit(event: Event): void {
    this.#forward(event)
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (error) {
        // The change is made already, so a listener that throws must not fail the request.
        console.error('A listener of the mock failed:', error)
      }
    }
  }
}

export type SandboxEvents = Listeners<SandboxEvent>

/** A change of a sandbox's inventory. */
export type InventoryChange = { readonly sandbox: string } & (
  | { readonly type: 'pet'; readonly pet: InventoryItem }
  | { readonly type: 'pet-removed'; readonly petId: PetId }
  /** The whole state was replaced, or many pets were changed at once. */
  | { readonly type: 'state' }
  /** The sandbox was removed. If it is used again, it starts from the seed. */
  | { readonly type: 'sandbox-removed' }
)

export function toInventoryChange(sandbox: string, event: SandboxEvent): InventoryChange | undefined {
  if (event.type === 'pet') return { sandbox, type: 'pet', pet: toInventoryItem(event.pet) }
  if (event.type === 'pet-removed') return { sandbox, type: 'pet-removed', petId: toPetId(event.petId) }
  if (event.type === 'end') return { sandbox, type: 'sandbox-removed' }
  return event.type === 'state' ? { sandbox, type: 'state' } : undefined
}
