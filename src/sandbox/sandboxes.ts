import { assertSandboxName, DEFAULT_SANDBOX } from '../auth/authenticator.ts'
import { MockError } from '../http/mock-error.ts'
import type { Seeds } from '../store/seed.ts'
import { type InventoryChange, Listeners } from './events.ts'
import type { SandboxJournal } from './journal.ts'
import { SandboxInternals, type SandboxOptions, type SharedLimits } from './sandbox.ts'

/** How many entries all journals keep. The least recently used journal is emptied first. */
const MOST_ENTRIES = 20_000
/** How many pets all sandboxes may load, besides the seed of the mock. */
export const MOST_LOADED_PETS = 2_000_000

interface SandboxesOptions extends Omit<SandboxOptions, 'name' | 'limits' | 'changes'> {
  /** The maximum number of sandboxes, without the default one. */
  readonly maxSandboxes: number
}

/** The sandboxes of one mock, by name. */
export class Sandboxes {
  readonly default: SandboxInternals
  readonly seeds: Seeds
  readonly changes: Listeners<InventoryChange> = new Listeners()
  readonly #options: Omit<SandboxOptions, 'name'>
  readonly #mostSandboxes: number
  /** The least recently used one first. */
  readonly #byName = new Map<string, SandboxInternals>()
  /** The number of entries in all journals. */
  #entries = 0
  #hasWarned = false

  constructor({ maxSandboxes, ...options }: SandboxesOptions) {
    const limits: SharedLimits = {
      countEntries: (count, journal) => {
        this.#entries += count
        if (count > 0 && this.#entries > MOST_ENTRIES) this.#dropJournals(journal)
      },
      assertRoom: (pets) => this.#assertRoom(pets),
      findReceivers: (filter) =>
        this.values()
          .filter(({ journal }) => journal.select(filter).length > 0)
          .map(({ controls }) => controls.name),
    }
    this.seeds = options.seeds
    this.#options = { ...options, limits, changes: this.changes }
    this.#mostSandboxes = maxSandboxes
    this.default = this.#create(DEFAULT_SANDBOX)
  }

  /** The number of sandboxes, without the default one. */
  get size(): number {
    return this.#byName.size - 1
  }

  has(name: string): boolean {
    return this.#byName.has(name)
  }

  /**
   * Returns the named sandbox, and creates it on first use. If there are too many sandboxes, the
   * least recently used one is evicted, the first time with a `console.warn`. The default sandbox is never evicted.
   * @throws {MockError} `INVALID_SANDBOX`
   */
  open(name: string): SandboxInternals {
    const sandbox = this.#byName.get(name)
    if (sandbox === undefined) return this.#create(name)
    if (name === DEFAULT_SANDBOX) return sandbox
    this.#byName.delete(name)
    this.#byName.set(name, sandbox)
    return sandbox
  }

  /** Returns the named sandbox, or one as its first use would create it, which is not kept. */
  look(name: string): SandboxInternals {
    return this.has(name) ? this.open(name) : new SandboxInternals({ ...this.#options, name })
  }

  /** All sandboxes, the default one first. A listener of a change may open one, which moves it to the end. */
  values(): SandboxInternals[] {
    return Array.from(this.#byName.values())
  }

  /** Removes a sandbox. Returns false if there is no such sandbox, and for the default one, which cannot be removed. */
  remove(name: string): boolean {
    if (name === DEFAULT_SANDBOX) return false
    this.#byName.get(name)?.close()
    return this.#byName.delete(name)
  }

  #create(name: string): SandboxInternals {
    assertSandboxName(name)
    const sandbox = new SandboxInternals({ ...this.#options, name })
    this.#byName.set(name, sandbox)
    const [, oldest = ''] = this.#byName.keys()
    if (this.size > this.#mostSandboxes && this.remove(oldest)) this.#warnOnce(oldest)
    return sandbox
  }

  /** Of the first eviction alone: thousands may follow. */
  #warnOnce(oldest: string): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    console.warn(
      `petstore-mock: there are more than ${this.#mostSandboxes} sandboxes; the least recently used ones are evicted, ${oldest} first`,
    )
  }

  /** All but the default journal and the one that records, each of which has a limit of its own. */
  #dropJournals(recording: SandboxJournal): void {
    for (const { journal } of this.values().slice(1)) {
      if (this.#entries <= MOST_ENTRIES) return
      if (journal !== recording) journal.drop()
    }
  }

  /** @throws {MockError} `INVALID_FIXTURE` */
  #assertRoom(pets: number): void {
    if (pets <= 0) return
    const states = this.values().map(({ state }) => state)
    const seeds = new Set(states.map(({ seed }) => seed).filter((seed) => !this.seeds.isShared(seed)))
    const changed = states.reduce((sum, { changes }) => sum + changes, 0)
    const loaded = Array.from(seeds).reduce((sum, seed) => sum + seed.pets.size, changed)
    if (loaded + pets <= MOST_LOADED_PETS) return
    throw new MockError(
      'INVALID_FIXTURE',
      `Failed to load pets: all sandboxes together may hold ${MOST_LOADED_PETS} besides the seed, and would hold ${loaded + pets}. Reset those that are no longer needed.`,
    )
  }
}
