import type { ByteBudget } from '../http/byte-budget.ts'
import { MockError } from '../http/mock-error.ts'
import { createInventoryState, type InventoryState, type StateSnapshot } from '../store/inventory-state.ts'
import { type FixtureSource, loadSeed } from '../store/load-seed.ts'
import { createRandom, type Random } from '../store/random.ts'
import type { Seed } from '../store/seed.ts'
import type { JournalBudget, StateAccount, StateBudget } from './budgets.ts'
import { type Delay, parseDelay } from './clock.ts'
import { createSandboxEvents, type SandboxEvent, type SandboxEvents } from './events.ts'
import { createFaults, type FaultControls, type FaultsInternals } from './faults.ts'
import { createInventoryControls, type InventoryControls } from './inventory-controls.ts'
import { createJournal, type Journal, type JournalInternals } from './journal.ts'
import { assertUserHandlers, type UserHandler } from './user-handler.ts'

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
  /** What was asked here, and what was answered. */
  readonly journal: Journal
  /** Misbehaviour on purpose. */
  readonly faults: FaultControls
  /**
   * Makes every answer of this sandbox take its time; `undefined` gives back the mock's own delay.
   * @param delay Milliseconds, fixed or a range, drawn from the sandbox's random sequence: `200`, `[100, 300]`, `'100-300'`.
   * @throws {MockError} `INVALID_OPTION`
   */
  setDelay(delay: Delay | string | undefined): void
  /**
   * Puts msw handlers before the contract's own, the latest first, until `reset()`.
   * @throws {MockError} `INVALID_OPTION` for a value that is no msw request handler.
   */
  use(...handlers: UserHandler[]): void
  /**
   * Back to the seed, without handlers, faults, delay and journal, the random sequence at its beginning: as after
   * `createMock`. Clients that a fault keeps waiting are let go. Costs nothing, however many pets there are.
   */
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
export interface SandboxInternals {
  readonly controls: Sandbox
  readonly state: InventoryState
  /** The handlers of `use()`, the latest first. */
  readonly handlers: readonly UserHandler[]
  readonly faults: FaultsInternals
  readonly journal: JournalInternals
  readonly events: SandboxEvents
  /** What the state holds, for the limit of all states. */
  readonly account: StateAccount
  /** The delay of this sandbox, where it has one. */
  readonly delay: Delay | undefined
  /** The next number of the random sequence. */
  readonly random: Random
  /** Aborts when clients that wait for ever are to be let go. */
  readonly released: AbortSignal
}

export interface SandboxOptions {
  readonly name: string
  readonly toApiKey: (name: string) => string
  /** Asked at every reset, since the mock may have been given another seed. */
  readonly getSeed: () => Seed
  readonly randomSeed: number
  readonly journalSize: number
  readonly journalBudget: JournalBudget
  readonly faultBudget: ByteBudget
  readonly stateBudget: StateBudget
  /** Told of all that happens in a sandbox. */
  readonly notify: (sandbox: string, event: SandboxEvent) => void
}

export function createSandbox({
  name,
  toApiKey,
  getSeed,
  randomSeed,
  journalSize,
  journalBudget,
  faultBudget,
  stateBudget,
  notify,
}: SandboxOptions): SandboxInternals {
  const startRandom = (): Random => createRandom(randomSeed ^ toHash(name))
  const events = createSandboxEvents((event) => notify(name, event))
  const state = createInventoryState(getSeed(), (change) => events.emit(change))
  const journal = createJournal({ size: journalSize, events, budget: journalBudget })
  const faults = createFaults({ notify: () => events.emit({ type: 'faults' }), budget: faultBudget })
  let handlers: readonly UserHandler[] = []
  let delay: Delay | undefined
  let random = startRandom()
  /** Made for the first client that waits. */
  let waiting: AbortController | undefined
  const controls: Sandbox = {
    name,
    get apiKey() {
      return toApiKey(name)
    },
    inventory: createInventoryControls(state),
    journal,
    faults,
    setDelay(next) {
      delay = next === undefined ? undefined : parseDelay(next, 'Failed to set the delay: it')
      events.emit({ type: 'delay' })
    },
    use(...added) {
      assertUserHandlers(added, 'Failed to use handlers')
      handlers = [...added, ...handlers]
    },
    reset() {
      state.reset(getSeed())
      for (const handler of handlers) handler.reset?.()
      handlers = []
      faults.clear()
      journal.clear()
      controls.setDelay(undefined)
      random = startRandom()
      waiting?.abort()
      waiting = undefined
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
    faults,
    journal,
    events,
    account: stateBudget.open(state),
    random: () => random(),
    get delay() {
      return delay
    },
    get released() {
      waiting ??= new AbortController()
      return waiting.signal
    },
    get handlers() {
      return handlers
    },
  }
}

/** Sandboxes draw different numbers, whatever the order in which they are made: FNV-1a of the name. */
function toHash(name: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index += 1) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  return hash
}
