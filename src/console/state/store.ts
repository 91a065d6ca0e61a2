/** Changes are batched for this long before the views are notified, in milliseconds; too short to notice. */
const GATHER_MS = 30

/** Observable state. */
export interface Store<State> {
  readonly state: State
  /** Replaces the given properties. */
  set(change: Partial<State>): void
  /** Calls `listener` after each batch of changes. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void
}

export function createStore<State>(initial: State): Store<State> {
  const listeners = new Set<() => void>()
  let state = initial
  let isTold = true
  const tell = (): void => {
    isTold = true
    for (const listener of listeners) listener()
  }
  return {
    get state() {
      return state
    },
    set(change) {
      state = { ...state, ...change }
      if (isTold) setTimeout(tell, GATHER_MS)
      isTold = false
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
