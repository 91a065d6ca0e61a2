import { assertSandboxName, DEFAULT_SANDBOX } from '../auth/authenticator.ts'
import { Budget } from '../http/bytes.ts'
import type { Seed } from '../store/seed.ts'
import { FAULTS_LIMIT } from './faults.ts'
import { createJournalMemory, type SandboxJournal } from './journal.ts'
import { SandboxInternals, type SandboxOptions } from './sandbox.ts'

/** The sandboxes of one mock, by name. */
export interface Sandboxes {
  /** @internal */
  readonly default: SandboxInternals
  /**
   * The state that every sandbox starts from and resets to.
   * @internal
   */
  readonly seed: Seed
  /** The number of sandboxes, without the default one. */
  readonly size: number
  /** @internal */
  has(name: string): boolean
  /**
   * Returns the named sandbox, and creates it on first use. If there are too many sandboxes, or their states need too
   * much memory, the least recently used one is evicted with a `console.warn`. The default sandbox is never evicted.
   * @throws {MockError} `INVALID_SANDBOX`
   * @internal
   */
  open(name: string): SandboxInternals
  /**
   * All sandboxes, the default one first.
   * @internal
   */
  values(): Iterable<SandboxInternals>
  /** Removes a sandbox. Returns false if there is no such sandbox, and for the default one, which cannot be removed. */
  remove(name: string): boolean
}

/** The memory limit that the journals of all sandboxes share, in bytes. */
export const JOURNALS_LIMIT: number = 64 * 1024 ** 2
/** The memory limit that the states of all sandboxes share, in bytes. The mock's seed does not count. */
const STATES_LIMIT = 1024 ** 3

interface SandboxesOptions extends Omit<SandboxOptions, 'name' | 'limits'> {
  /** The maximum number of sandboxes, without the default one. */
  readonly maxSandboxes: number
  readonly journalsLimit?: number
  readonly statesLimit?: number
}

export function createSandboxes({
  maxSandboxes,
  journalsLimit = JOURNALS_LIMIT,
  statesLimit = STATES_LIMIT,
  ...options
}: SandboxesOptions): Sandboxes {
  const byName = new Map<string, SandboxInternals>()
  const spendForJournal = createMemoryLimit(journalsLimit, (isEnough) => {
    for (const { journal } of listIdle()) {
      if (isEnough()) return
      journal.drop()
    }
  })
  const spendForState = createMemoryLimit(statesLimit, (isEnough) => {
    const idle = listIdle()
    for (const sandbox of idle) {
      if (isEnough()) return
      // Dropping a cached list and the history is cheaper than evicting a sandbox.
      sandbox.state.dropList()
      sandbox.history.clear()
      sandbox.countState()
    }
    for (const sandbox of idle) {
      if (isEnough()) return
      if (sandbox.countState() > 0) evict(sandbox.controls.name, `their states hold more than ${statesLimit} bytes`)
    }
  })
  const journals = createJournalMemory(journalsLimit, spendForJournal)
  const limits = { journals, faults: new Budget(FAULTS_LIMIT), spendForState }
  /** The least recently used first, without the default sandbox and the one that handles the current request. */
  const listIdle = (): SandboxInternals[] =>
    Array.from(byName.values())
      .slice(0, -1)
      .filter(({ controls }) => controls.name !== DEFAULT_SANDBOX)
  const create = (name: string): SandboxInternals => {
    assertSandboxName(name)
    const sandbox = new SandboxInternals({ ...options, limits, name })
    // Hidden from the public `Sandbox`.
    Object.assign(sandbox.controls, { [SIBLINGS]: listSiblings })
    byName.set(name, sandbox)
    if (byName.size > maxSandboxes + 1) {
      const oldest = byName.keys().find((each) => each !== DEFAULT_SANDBOX) ?? ''
      evict(oldest, `there are more than ${maxSandboxes} sandboxes`)
    }
    return sandbox
  }
  const listSiblings = (): Sibling[] =>
    Array.from(byName.values(), ({ controls, journal }) => ({ name: controls.name, journal }))
  const remove = (name: string): boolean => {
    byName.get(name)?.close()
    return byName.delete(name)
  }
  const evict = (name: string, reason: string): void => {
    remove(name)
    console.warn(`petstore-mock: ${reason}; the least recently used sandbox, ${name}, is evicted`)
  }
  return {
    default: create(DEFAULT_SANDBOX),
    get seed() {
      return options.getSeed()
    },
    get size() {
      return byName.size - 1
    },
    has: (name) => byName.has(name),
    open(name) {
      const sandbox = byName.get(name)
      if (sandbox === undefined) return create(name)
      if (name === DEFAULT_SANDBOX) return sandbox
      // The Map is ordered by last use.
      byName.delete(name)
      byName.set(name, sandbox)
      return sandbox
    },
    values: () => byName.values(),
    remove: (name) => name !== DEFAULT_SANDBOX && remove(name),
  }
}

/** Above a limit, memory is freed down to this share, so that freeing is rare. */
const SHARE_KEPT = 0.9

/** @param makeRoom Called above the limit. Frees memory until `isEnough()`. */
export function createMemoryLimit(limit: number, makeRoom: (isEnough: () => boolean) => void): (bytes: number) => void {
  let held = 0
  return (bytes) => {
    held += bytes
    if (bytes > 0 && held > limit) makeRoom(() => held <= limit * SHARE_KEPT)
  }
}

export interface Sibling {
  readonly name: string
  readonly journal: Pick<SandboxJournal, 'entries'>
}

/** A registered symbol, so that a sandbox also works with another copy of this package. */
export const SIBLINGS: unique symbol = Symbol.for('petstore-mock.siblings') as never
