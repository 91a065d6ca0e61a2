import type { StateChange } from '../store/inventory-state.ts'
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
