import { assertSandboxName, DEFAULT_SANDBOX } from '../auth/sandbox-name.ts'
import { ByteBudget } from '../http/byte-budget.ts'
import type { Seed } from '../store/seed.ts'
import { FAULTS_LIMIT } from './faults.ts'
import { createJournalBudget, JOURNALS_LIMIT } from './journal-budget.ts'
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
   * The sandbox of that name, made on first use. Where there are too many, the one that was not opened for the longest
   * time is forgotten, and its loss told by `console.warn`; the default one stays.
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

export interface SandboxesOptions extends Omit<SandboxOptions, 'name' | 'journalBudget' | 'faultBudget'> {
  /** How many there may be beside the default one. */
  readonly maxSandboxes: number
  /** What their journals may hold together, in bytes. @default 67108864, which is 64 MB */
  readonly journalsLimit?: number
}

export function createSandboxes({
  maxSandboxes,
  journalsLimit = JOURNALS_LIMIT,
  ...options
}: SandboxesOptions): Sandboxes {
  const rooms = new Map<string, SandboxInternals>()
  const faultBudget = new ByteBudget(FAULTS_LIMIT)
  const journalBudget = createJournalBudget(journalsLimit, (isEnough) => {
    // Those idle for longest first, and never the one that is being asked, which has a bound of its own.
    const [, ...idle] = [...rooms.values()].reverse()
    for (const { controls, journal } of idle.reverse()) {
      if (isEnough()) return
      if (controls.name !== DEFAULT_SANDBOX) journal.drop()
    }
  })
  const create = (name: string): SandboxInternals => {
    assertSandboxName(name)
    const room = createSandbox({ ...options, journalBudget, faultBudget, name })
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
    room?.events.emit({ type: 'end' })
    return rooms.delete(name)
  }
  const forgetOldest = (): void => {
    const oldest = rooms.keys().find((name) => name !== DEFAULT_SANDBOX)
    if (oldest === undefined) return
    forget(oldest)
    console.warn(
      `petstore-mock: more than ${maxSandboxes} sandboxes; the one idle for longest, ${oldest}, is forgotten`,
    )
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
