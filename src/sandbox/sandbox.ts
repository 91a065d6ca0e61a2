import type { Authenticator } from '../auth/authenticator.ts'
import { isJsonObject } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { parseWith } from '../http/schema.ts'
import { type InventoryItem, toInventoryItem } from '../inventory/pet.ts'
import { createRandom, type Random } from '../store/generate-fixture.ts'
import { InventoryState, type Layer } from '../store/inventory-state.ts'
import type { PetTable } from '../store/pet-table.ts'
import type { FixtureSource, Seed, Seeds } from '../store/seed.ts'
import { DELAY, type Delay } from './delay.ts'
import { type InventoryChange, Listeners, type SandboxEvents, toInventoryChange } from './events.ts'
import { type FaultControls, SandboxFaults } from './faults.ts'
import { createInventoryControls, type InventoryControls } from './inventory-controls.ts'
import { type FindReceivers, type Journal, SandboxJournal } from './journal.ts'
import { USER_HANDLERS, type UserHandler } from './user-handler.ts'

/** A sandbox's saved state, made by `snapshot()`. A mock here and a mock elsewhere can restore each other's. */
export interface Snapshot {
  /** The pets, in the order in which the service lists them. */
  readonly inventory: readonly InventoryItem[]
}

/**
 * The states of snapshots from this process: restoring one takes constant time, however many pets it has. Not
 * part of a mock, because a mock can restore the snapshots of another.
 */
const SAVED = new WeakMap<Snapshot, Layer>()

/** Controls one sandbox: an isolated copy of the seeded state. */
export interface Sandbox {
  /** The name of the sandbox, such as `default` or `checkout-7`. */
  readonly name: string
  /** The API key that opens this sandbox, made from the mock's first key. */
  readonly apiKey: string
  /** Reads and changes the pets without a request. */
  readonly inventory: InventoryControls
  /** The requests to this sandbox and their responses. */
  readonly journal: Journal
  /** The faults to inject into this sandbox's responses. */
  readonly faults: FaultControls
  /**
   * Delays every response of this sandbox. `undefined` restores the delay of the mock.
   * @param delay Milliseconds, fixed or drawn from a range with the sandbox's random sequence: `200`, `[100, 300]`,
   * `'100-300'`.
   * @throws {MockError} `INVALID_OPTION`
   */
  setDelay(delay: Delay | string | undefined): void
  /**
   * Adds msw handlers, which run before the mock's own until `reset()`. Those of the latest `use()` run first.
   * @throws {MockError} `INVALID_OPTION` for a value that is not an msw request handler.
   */
  use(...handlers: UserHandler[]): void
  /**
   * Resets the sandbox to how it was after `createMock`: restores the seed, restarts the random sequence, and removes
   * handlers, faults, the delay and journal entries. Requests that have no response yet fail. The
   * clock, which all sandboxes share, stays as it is: `clock.useReal()` returns to real time. Takes constant time,
   * however many pets there are.
   */
  reset(): void
  /**
   * Replaces the state. `reset()` still restores the seed of the mock.
   * @param fixture A fixture's content, or a name: of one of the mock's own `fixtures` or of a shipped one.
   * @throws {MockError} `UNKNOWN_FIXTURE` when no fixture has this name.
   * @throws {FixtureError} when the fixture is invalid. The state is then unchanged.
   */
  load(fixture: FixtureSource): void
  /** Saves the current state, for `restore()`. */
  snapshot(): Snapshot
  /**
   * Returns to a saved state.
   * @throws {MockError} `INVALID_SNAPSHOT` for a value without an inventory.
   * @throws {FixtureError} when its inventory is invalid. The state is then unchanged.
   */
  restore(snapshot: Snapshot): void
}

/** What all sandboxes of a mock share. */
export interface SharedLimits {
  /** Counts entries of a journal; negative for dropped ones. */
  countEntries(count: number, journal: SandboxJournal): void
  /** @throws {MockError} `INVALID_FIXTURE` if so many more pets are too many. */
  assertRoom(pets: number): void
  readonly findReceivers: FindReceivers
}

export interface SandboxOptions {
  readonly name: string
  readonly authenticator: Pick<Authenticator, 'toApiKey'>
  readonly seeds: Seeds
  readonly randomSeed: number
  readonly journalSize: number
  /** What the sandboxes of a mock may hold together. */
  readonly limits: SharedLimits
  readonly changes: Listeners<InventoryChange>
}

/** A sandbox as the service uses it. A class, because there may be thousands. */
export class SandboxInternals {
  readonly controls: Sandbox
  readonly state: InventoryState
  readonly faults: SandboxFaults
  readonly journal: SandboxJournal
  readonly events: SandboxEvents
  /** The handlers of `use()`, in the order in which they run. */
  handlers: readonly UserHandler[] = []
  /** The sandbox's own delay; `undefined` if the mock's delay applies. */
  delay: Delay | undefined
  /** Returns the next number of the random sequence. */
  random: Random
  /** Counts `reset()` and `close()`: a request of an earlier epoch must no longer change anything. */
  epoch = 0
  readonly #options: SandboxOptions
  /** Created for the first request that has to wait. */
  #waiting: AbortController | undefined
  #isClosed = false

  constructor(options: SandboxOptions) {
    const { name, seeds, journalSize: size, limits, changes } = options
    this.#options = options
    const events: SandboxEvents = new Listeners((event) => {
      const change = changes.isWatched ? toInventoryChange(name, event) : undefined
      if (change !== undefined) changes.emit(change)
    })
    this.events = events
    this.state = new InventoryState(seeds.initial, (change) => events.emit(change))
    this.journal = new SandboxJournal({ ...limits, size, events })
    this.faults = new SandboxFaults(() => events.emit({ type: 'faults' }))
    this.random = this.#startRandom()
    this.controls = this.#createControls()
  }

  /** Aborts at the next `reset()` or `close()`, to end requests that a `timeout` fault or a delay keeps waiting. */
  get released(): AbortSignal {
    this.#waiting ??= new AbortController()
    return this.#waiting.signal
  }

  /** The number of pets that only this sandbox holds. */
  get ownPets(): number {
    const { changes, seed } = this.state
    return changes + (this.#options.seeds.isShared(seed) ? 0 : seed.pets.size)
  }

  /** Replaces the pets, but not the seed, to which a reset returns. @throws like `putPets` */
  replacePets(pets: PetTable): void {
    this.#assertRoom(pets.size, this.ownPets)
    this.state.replace(pets)
  }

  /** Adds or replaces pets, as one change. @throws {MockError} `INVALID_FIXTURE` if the mock would hold too many. */
  putPets(pets: PetTable): void {
    this.#assertRoom(pets.size)
    this.state.putAll(pets.values())
  }

  /** Frees its memory, and ends its event streams and requests. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#release()
    this.journal.drop()
    this.events.emit({ type: 'end' })
  }

  /** @param seed What stays loaded, instead of the seed of the mock. */
  reset(seed: Seed = this.#options.seeds.initial): void {
    for (const handler of this.handlers) handler.reset?.()
    this.handlers = []
    this.faults.clear()
    this.journal.clear()
    this.controls.setDelay(undefined)
    this.random = this.#startRandom()
    this.#release()
    // Last, because a listener of the change may send a request.
    this.state.reset(seed)
  }

  /** @param freed How many pets the change replaces. */
  #assertRoom(added: number, freed = 0): void {
    this.#options.limits.assertRoom(added - freed)
  }

  #release(): void {
    this.epoch += 1
    this.#waiting?.abort()
    this.#waiting = undefined
  }

  #startRandom(): Random {
    const { randomSeed, name } = this.#options
    return createRandom(randomSeed ^ toHash(name))
  }

  /** Functions without `this`: tests pass them on, as in `afterEach(mock.reset)`. */
  #createControls(): Sandbox {
    const { state, journal, faults, events } = this
    const { name, authenticator, seeds } = this.#options
    const setDelay: Sandbox['setDelay'] = (delay) => {
      const refusal = { failure: 'Failed to set the delay', subject: 'the delay' }
      this.delay = delay === undefined ? undefined : parseWith(DELAY, delay, refusal)
      events.emit({ type: 'delay' })
    }
    const load: Sandbox['load'] = (fixture) => {
      const seed = seeds.load(fixture)
      if (!seeds.isShared(seed)) this.#assertRoom(seed.pets.size, this.ownPets)
      state.reset(seed)
    }
    return {
      name,
      get apiKey() {
        return authenticator.toApiKey(name)
      },
      inventory: createInventoryControls(state),
      journal,
      faults,
      setDelay,
      use: (...added) => {
        this.handlers = [...parseWith(USER_HANDLERS, added, { failure: 'Failed to use handlers' }), ...this.handlers]
      },
      reset: () => this.reset(),
      load,
      snapshot: () => createSnapshot(state.snapshot()),
      restore(snapshot) {
        const saved = SAVED.get(snapshot)
        if (saved !== undefined) return state.restore(saved)
        if (isJsonObject(snapshot) && Array.isArray(snapshot['inventory'])) return load(snapshot)
        throw new MockError(
          'INVALID_SNAPSHOT',
          'Failed to restore a snapshot: the value was not made by snapshot(). Use load() for a fixture.',
        )
      },
    }
  }
}

function createSnapshot(saved: Layer): Snapshot {
  const snapshot: Snapshot = {
    // Listed only when it is read.
    get inventory() {
      const state = new InventoryState(saved.seed)
      state.restore(saved)
      return Array.from(state.values(), toInventoryItem)
    },
  }
  SAVED.set(snapshot, saved)
  return snapshot
}

/** FNV-1a. Seeding with the name gives each sandbox its own random sequence, whatever the order of creation. */
function toHash(name: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index += 1) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  return hash
}
