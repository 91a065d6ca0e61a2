import type { RequestHandler } from 'msw'
import { MockError } from '../contract/mock-error.ts'
import { createInventoryState, type InventoryState, type StateSnapshot } from '../store/inventory-state.ts'
import { type FixtureSource, loadSeed } from '../store/load-seed.ts'
import type { Seed } from '../store/seed.ts'
import { createInventoryControls, type InventoryControls } from './inventory-controls.ts'

/** A sandbox's state to return to; made by `snapshot()`. */
export class Snapshot {
  /** @internal */
  readonly state: StateSnapshot

  /** @internal */
  constructor(state: StateSnapshot) {
    this.state = state
  }
}

/** The controls over one sandbox: a copy of the seeded state that nobody else sees. */
export interface Sandbox {
  readonly name: string
  /** The API key that opens this sandbox. */
  readonly apiKey: string
  readonly inventory: InventoryControls
  /** Puts msw handlers before the contract's own, the latest first, until `reset()`. */
  use(...handlers: RequestHandler[]): void
  /** Back to the seed, without handlers: as after `createMock`. Costs nothing, however many pets there are. */
  reset(): void
  /**
   * Replaces the state. `reset()` goes back to the seed of the mock.
   * @throws {MockError} `UNKNOWN_FIXTURE` for a name that is not shipped.
   * @throws {FixtureError} for a fixture with faults; the state stays.
   */
  load(fixture: FixtureSource): void
  /** The present state, to return to with `restore()`. */
  snapshot(): Snapshot
  /** @throws {MockError} `INVALID_SNAPSHOT` for what no `snapshot()` gave. */
  restore(snapshot: Snapshot): void
}

/** A sandbox from the inside: its controls, and what the service needs of it. */
export interface SandboxRoom {
  readonly controls: Sandbox
  readonly state: InventoryState
  /** The handlers of `use()`, the latest first. */
  readonly handlers: readonly RequestHandler[]
}

export interface SandboxOptions {
  readonly name: string
  readonly toApiKey: (name: string) => string
  /** Asked at every reset, since the mock may have been given another seed. */
  readonly getSeed: () => Seed
}

export function createSandbox({ name, toApiKey, getSeed }: SandboxOptions): SandboxRoom {
  const state = createInventoryState(getSeed())
  let handlers: readonly RequestHandler[] = []
  const controls: Sandbox = {
    name,
    get apiKey() {
      return toApiKey(name)
    },
    inventory: createInventoryControls(state),
    use(...added) {
      handlers = [...added, ...handlers]
    },
    reset() {
      state.reset(getSeed())
      for (const handler of handlers) handler.reset()
      handlers = []
    },
    load: (fixture) => state.reset(loadSeed(fixture)),
    snapshot: () => new Snapshot(state.snapshot()),
    restore(snapshot) {
      if (snapshot instanceof Snapshot) return state.restore(snapshot.state)
      throw new MockError(
        'INVALID_SNAPSHOT',
        'Failed to restore a snapshot: the value was not made by snapshot(). For a state of your own use load().',
      )
    },
  }
  return {
    controls,
    state,
    get handlers() {
      return handlers
    },
  }
}
