/** How long changes are gathered before the views hear of them, in milliseconds: too short to be felt. */
const GATHER_MS = 30

/** Values that change, and those who look at them. */
export interface Store<State> {
  readonly state: State
  /** Puts the given values in place of those before. */
  set(change: Partial<State>): void
  /** Calls `listener` soon after changes, once for many, until what it gives back is called. */
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
