import { assertSandboxName, DEFAULT_SANDBOX } from '../auth/sandbox-name.ts'
import { ByteBudget } from '../http/byte-budget.ts'
import type { Seed } from '../store/seed.ts'
import { createJournalBudget, JOURNALS_LIMIT, STATES_LIMIT, StateBudget } from './budgets.ts'
import { FAULTS_LIMIT } from './faults.ts'
import { createSandbox, type SandboxInternals, type SandboxOptions } from './sandbox.ts'

/** The sandboxes of one mock, by name. */
export interface Sandboxes {
  /** @internal */
  readonly default: SandboxInternals
  /**
   * What all of them go back to.
   * @internal
   */
  readonly seed: Seed
  /** How many were made beside the default one. */
  readonly size: number
  /**
   * The sandbox of that name, made on first use. Where there are too many, or their states hold too much, the
   * least recently used one is evicted, and `console.warn` says so; the default one stays.
   * @throws {MockError} `INVALID_SANDBOX`
   * @internal
   */
  open(name: string): SandboxInternals
  /**
   * All that were made, the default one first.
   * @internal
   */
  values(): Iterable<SandboxInternals>
  /** Forgets a sandbox; says whether it was there. The default one stays. */
  remove(name: string): boolean
}

export interface SandboxesOptions
  extends Omit<SandboxOptions, 'name' | 'journalBudget' | 'faultBudget' | 'stateBudget'> {
  /** How many there may be beside the default one. */
  readonly maxSandboxes: number
  /** What their journals may hold together, in bytes. @default 67108864, which is 64 MB */
  readonly journalsLimit?: number
  /** What their states may hold beside the seed, in bytes. @default 1073741824, which is 1 GB */
  readonly statesLimit?: number
}

export function createSandboxes({
  maxSandboxes,
  journalsLimit = JOURNALS_LIMIT,
  statesLimit = STATES_LIMIT,
  ...options
}: SandboxesOptions): Sandboxes {
  const rooms = new Map<string, SandboxInternals>()
  const faultBudget = new ByteBudget(FAULTS_LIMIT)
  const journalBudget = createJournalBudget(journalsLimit, (isEnough) => {
    for (const { journal } of listIdle()) {
      if (isEnough()) return
      journal.drop()
    }
  })
  const stateBudget = new StateBudget({
    limit: statesLimit,
    getSeed: options.getSeed,
    makeRoom(isEnough) {
      const idle = listIdle()
      for (const { state, account } of idle) {
        if (isEnough()) return
        // Written anew when it is asked for, which is better than a sandbox that is gone.
        state.dropList()
        account.update()
      }
      for (const { controls, account } of idle) {
        if (isEnough()) return
        if (!account.isEmpty) evict(controls.name, `their states hold more than ${statesLimit} bytes`)
      }
    },
  })
  /** The least recently used first; never the default sandbox, nor the one that is being asked. */
  const listIdle = (): SandboxInternals[] =>
    Array.from(rooms.values())
      .slice(0, -1)
      .filter(({ controls }) => controls.name !== DEFAULT_SANDBOX)
  const create = (name: string): SandboxInternals => {
    assertSandboxName(name)
    const room = createSandbox({ ...options, journalBudget, faultBudget, stateBudget, name })
    rooms.set(name, room)
    if (rooms.size > maxSandboxes + 1) forgetOldest()
    return room
  }
  /** The Map is kept in the order in which the rooms were last opened. */
  const touch = (name: string, room: SandboxInternals): SandboxInternals => {
    rooms.delete(name)
    rooms.set(name, room)
    return room
  }
  const forget = (name: string): boolean => {
    const room = rooms.get(name)
    room?.journal.close()
    room?.faults.close()
    room?.account.close()
    room?.events.emit({ type: 'end' })
    return rooms.delete(name)
  }
  const evict = (name: string, reason: string): void => {
    forget(name)
    console.warn(`petstore-mock: ${reason}; the least recently used sandbox, ${name}, is evicted`)
  }
  const forgetOldest = (): void => {
    const oldest = rooms.keys().find((name) => name !== DEFAULT_SANDBOX)
    if (oldest !== undefined) evict(oldest, `there are more than ${maxSandboxes} sandboxes`)
  }
  const standard = create(DEFAULT_SANDBOX)
  return {
    default: standard,
    get seed() {
      return options.getSeed()
    },
    get size() {
      return rooms.size - 1
    },
    open(name) {
      const room = rooms.get(name)
      if (room === undefined) return create(name)
      return name === DEFAULT_SANDBOX ? room : touch(name, room)
    },
    values: () => rooms.values(),
    remove: (name) => name !== DEFAULT_SANDBOX && forget(name),
  }
}
