import type { Delay, Exchange, Fault, FixtureSummary, Health, SandboxSummary } from '../api/model.ts'
import type { PetList } from './pet-list.ts'
import type { Traffic } from './traffic.ts'

/** How the console stands with the double. `locked`: it asks for a control token. */
export type Connection = 'connecting' | 'live' | 'lost' | 'locked'

/** All that the views show. */
export interface ConsoleState {
  readonly connection: Connection
  readonly sandbox: string
  /** Without the sandbox's name. */
  readonly apiKey: string
  readonly token: string
  readonly health: Health | undefined
  /** What the present state was made of. */
  readonly fixture: string
  readonly pets: PetList
  /** Whether `pets` is what the double has. */
  readonly isLoaded: boolean
  /** The newest first. */
  readonly journal: readonly Exchange[]
  readonly traffic: Traffic
  readonly faults: readonly Fault[]
  readonly delay: Delay
  readonly fixtures: readonly FixtureSummary[]
  readonly sandboxes: readonly SandboxSummary[]
  /** What was done last, in a sentence, for the eye and for screen readers. */
  readonly notice: Notice | undefined
}

export interface Notice {
  readonly text: string
  readonly isError: boolean
}
