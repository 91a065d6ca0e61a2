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
  const listeners = new Set<SandboxListener>()
  return {
    get isWatched() {
      return listeners.size > 0
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    emit(event) {
      forward(event)
      for (const listener of listeners) listener(event)
    },
  }
}
