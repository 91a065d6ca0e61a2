import type { PersistWarning } from '../../runtimes/browser.ts'

/** Everything the demo's own views show. */
export interface DemoState {
  /** `busy`: the mock is starting. */
  readonly phase: 'busy' | 'running' | 'failed'
  readonly failure: Failure | undefined
  /** Whether the user wants the state to survive reloads and be shared by the tabs. */
  readonly isKept: boolean
  /** Whether the state cannot be stored, although `isKept` is set. */
  readonly isInMemory: boolean
  /** The last action, for screen readers. */
  readonly notice: string
  /** Persistence problems that are not dismissed yet. */
  readonly warnings: readonly PersistWarning[]
}

/** Why the demo cannot run. */
export interface Failure {
  /** The reason for visitors, with what to do. */
  readonly reason: string
  /** The technical message for the site's operator. */
  readonly detail: string
}
