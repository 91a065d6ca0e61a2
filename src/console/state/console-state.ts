import type { Delay, Exchange, Fault, FixtureSummary, Health, SandboxSummary } from '../api/model.ts'
import type { PetList } from './pet-list.ts'
import type { Traffic } from './traffic.ts'

/**
 * The connection to the mock. `refused`: the mock answers, but gives no event stream; the page asks for its state every few
 * seconds. `locked`: the mock asks for a control token.
 */
export type Connection = 'connecting' | 'live' | 'refused' | 'lost' | 'locked'

/** All that the views show. */
export interface ConsoleState {
  readonly connection: Connection
  /** The status with which the mock last refused its event stream. */
  readonly refusal: number
  readonly sandbox: string
  /** As it was typed. */
  readonly apiKey: string
  /** Whether the service refused the key since it was typed. */
  readonly isKeyRefused: boolean
  readonly token: string
  readonly health: Health | undefined
  /** What the present state was made of. */
  readonly fixture: string
  /** How many pets there are; `undefined` until the mock has said it. */
  readonly petCount: number | undefined
  readonly pets: PetList
  /** Whether `pets` is what the mock has. */
  readonly isLoaded: boolean
  /** Whether everything but `pets` is what the mock has: before that, nothing may be shown as a fact. */
  readonly isReady: boolean
  /** The newest first. */
  readonly journal: readonly Exchange[]
  /** What was cleared from the mock's journal and was asked back: it is in this page alone. The newest first. */
  readonly cleared: readonly Exchange[]
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
  /** Takes back what was done, as far as possible. */
  readonly undo?: (() => Promise<void>) | undefined
}
