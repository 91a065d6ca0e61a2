import type { PersistWarning } from '../../runtimes/browser.ts'

/** All that the demo's own views show. */
export interface DemoState {
  /** `busy`: the double starts, or starts again. */
  readonly phase: 'busy' | 'running' | 'failed'
  /** Why it failed, for the reader. */
  readonly failure: string
  /** Whether the state is kept over a reload, and shared by the tabs. */
  readonly isKept: boolean
  /** What could not be kept, and has not been sent away yet. */
  readonly warnings: readonly PersistWarning[]
}
