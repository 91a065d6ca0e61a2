import { assertSandboxName, DEFAULT_SANDBOX } from '../inventory/sandbox-name.ts'
import { createSandbox, type SandboxOptions, type SandboxRoom } from './sandbox.ts'

/** The sandboxes of one mock, by name. */
export interface Sandboxes {
  readonly default: SandboxRoom
  /** How many were made beside the default one. */
  readonly size: number
  /**
   * The sandbox of that name, made on first use.
   * @throws {MockError} `INVALID_SANDBOX`
   */
  open(name: string): SandboxRoom
  /** All that were made, the default one first. */
  values(): Iterable<SandboxRoom>
  /** Forgets a sandbox; says whether it was there. The default one stays. */
  remove(name: string): boolean
}

export function createSandboxes(options: Omit<SandboxOptions, 'name'>): Sandboxes {
  const rooms = new Map<string, SandboxRoom>()
  const create = (name: string): SandboxRoom => {
    assertSandboxName(name)
    const room = createSandbox({ ...options, name })
    rooms.set(name, room)
    return room
  }
  const standard = create(DEFAULT_SANDBOX)
  return {
    default: standard,
    get size() {
      return rooms.size - 1
    },
    open: (name) => rooms.get(name) ?? create(name),
    values: () => rooms.values(),
    remove: (name) => name !== DEFAULT_SANDBOX && rooms.delete(name),
  }
}
