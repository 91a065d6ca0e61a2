/** A copy of something that the mock has, kept by its events. */
export interface Replica<Event> {
  /** Asks for the whole anew. What fails is thrown; events go on being applied. */
  refresh(): Promise<void>
  /** An event came. While the whole is on its way, it is kept, and applied again on top of it. */
  push(event: Event): void
}

/**
 * An event that comes while the whole is being asked for may be older or newer than it. Events say what something is,
 * not by how much it changed, so that to apply all of them again, in their order, is right in both cases.
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
        // Another refresh began meanwhile, and knows better.
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
