import type { PersistWarning } from '../../runtimes/browser.ts'

/** All that the demo's own views show. */
export interface DemoState {
  /** `busy`: the mock is starting. */
  readonly phase: 'busy' | 'running' | 'failed'
  readonly failure: Failure | undefined
  /** Whether the state is to be kept over a reload, and shared by the tabs. */
  readonly isKept: boolean
  /** Whether the state should be kept, and cannot be. */
  readonly isInMemory: boolean
  /** What was done last, for those who do not see it. */
  readonly notice: string
  /** What could not be kept, and was not dismissed yet. */
  readonly warnings: readonly PersistWarning[]
}

/** Why the demo cannot run. */
export interface Failure {
  /** For somebody who has only opened a page, with what to do. */
  readonly reason: string
  /** For whoever runs the site. */
  readonly detail: string
}
