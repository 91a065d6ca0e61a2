/** A copy of state in the mock, updated by events. */
interface Replica<Event> {
  /** Reloads everything. Throws if that fails; events are still applied. */
  refresh(): Promise<void>
  /** Applies an event. During a reload, the event is also queued and applied again to the loaded state. */
  push(event: Event): void
}

/**
 * An event that arrives during a reload may be older or newer than the loaded state. Events carry new values, not
 * differences, so applying them again in order is correct in both cases.
 */
export function createReplica<Whole, Event>(options: {
  readonly load: () => Promise<Whole>
  readonly begin: (whole: Whole) => void
  readonly apply: (event: Event) => void
}): Replica<Event> {
  const { load, begin, apply } = options
  let kept: Event[] | undefined
  return {
    async refresh() {
      const mine: Event[] = []
      kept = mine
      try {
        const whole = await load()
        // A newer refresh has started meanwhile.
        if (kept !== mine) return
        begin(whole)
        for (const event of mine) apply(event)
      } finally {
        if (kept === mine) kept = undefined
      }
    },
    push(event) {
      kept?.push(event)
      apply(event)
    },
  }
}
