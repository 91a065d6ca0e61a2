import { assertSandboxName, DEFAULT_SANDBOX } from '../auth/authenticator.ts'
import type { Seeds } from '../store/seed.ts'
import { type InventoryChange, Listeners } from './events.ts'
import { JournalMemory, type SandboxJournal } from './journal.ts'
import { SandboxInternals, type SandboxOptions } from './sandbox.ts'

/** The memory limit that the journals of all sandboxes share, in bytes. */
const JOURNALS_LIMIT = 64 * 1024 ** 2
/** The memory limit that the states of all sandboxes share, in bytes. The mock's seed does not count. */
const STATES_LIMIT = 1024 ** 3

interface SandboxesOptions extends Pick<SandboxOptions, 'authenticator' | 'seeds' | 'randomSeed' | 'journalSize'> {
  /** The maximum number of sandboxes, without the default one. */
  readonly maxSandboxes: number
  readonly journalsLimit?: number
  readonly statesLimit?: number
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

  constructor(given: SandboxesOptions) {
    const { maxSandboxes, journalsLimit = JOURNALS_LIMIT, statesLimit = STATES_LIMIT, ...options } = given
    const growJournals = createGrowth(journalsLimit, () => this.#limit(journalsLimit, ({ journal }) => journal))
    const limits = {
      journals: new JournalMemory(journalsLimit, growJournals),
      growState: createGrowth(statesLimit, () => this.#limitStates(statesLimit)),
    }
    this.seeds = given.seeds
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
   * Returns the named sandbox, and creates it on first use. If there are too many sandboxes, or their states need too
   * much memory, the least recently used one is evicted with a `console.warn`. The default sandbox is never evicted.
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
    const list = (): Sibling[] => this.values().map(({ controls, journal }) => ({ name: controls.name, journal }))
    // Hidden from the public `Sandbox`.
    Object.assign(sandbox.controls, { [SIBLINGS]: list })
    this.#byName.set(name, sandbox)
    const [, oldest = ''] = this.#byName.keys()
    if (this.size > this.#mostSandboxes) this.#evict(oldest, `there are more than ${this.#mostSandboxes} sandboxes`)
    return sandbox
  }

  #limitStates(limit: number): void {
    // Dropping cached lists is cheaper than evicting a sandbox.
    this.#limit(limit, (sandbox) => sandbox)
    this.#limit(limit, (sandbox) => ({
      get weight() {
        return sandbox.weight
      },
      drop: () => this.#evict(sandbox.controls.name, `their states hold more than ${limit} bytes`),
    }))
  }

  /** Drops what the least recently used sandboxes hold above the limit, but nothing of the default one and the one in use. */
  #limit(limit: number, select: (sandbox: SandboxInternals) => Held): void {
    const [newest = this.default, ...idle] = this.values().slice(1).reverse()
    let bytes = select(this.default).weight + select(newest).weight
    for (const sandbox of idle) {
      const held = select(sandbox)
      // One that weighs nothing would free nothing.
      if (held.weight > 0 && bytes + held.weight > limit) held.drop()
      bytes += held.weight
    }
  }

  #evict(name: string, reason: string): void {
    if (this.remove(name))
      console.warn(`petstore-mock: ${reason}; the least recently used sandbox, ${name}, is evicted`)
  }
}

interface Held {
  /** In bytes. */
  readonly weight: number
  drop(): void
}

/** Calls `makeRoom` after each sixteenth of the limit: weighing thousands of sandboxes takes a millisecond. */
function createGrowth(limit: number, makeRoom: () => void): (bytes: number) => void {
  let grown = 0
  return (bytes) => {
    grown += bytes
    if (grown < limit / 16) return
    grown = 0
    makeRoom()
  }
}

export interface Sibling {
  readonly name: string
  readonly journal: Pick<SandboxJournal, 'entries'>
}

/** A registered symbol, so that a sandbox also works with another copy of this package. */
export const SIBLINGS: unique symbol = Symbol.for('petstore-mock.siblings') as never
