import type { Addresses } from '../../api/addresses.ts'
import { toSentence } from '../../api/answer-error.ts'
import type { Control } from '../../api/control.ts'
import type { ConsoleState, Notice } from '../console-state.ts'
import type { Settings } from '../settings.ts'
import type { Store } from '../store.ts'

/** What all actions have at hand. */
export interface ActionParts {
  readonly store: Store<ConsoleState>
  readonly settings: Settings
  readonly addresses: Addresses
  /** Leaves the present sandbox for another. */
  readonly open: (sandbox: string) => void
  /** The control API over the present sandbox. */
  readonly getControl: () => Control
}

/** What an action did, in a sentence. */
export type Outcome = Pick<Notice, 'text' | 'undo'>

export function tell({ store }: Pick<ActionParts, 'store'>, outcome: Outcome | string): void {
  store.set({ notice: { ...(typeof outcome === 'string' ? { text: outcome } : outcome), isError: false } })
}

/** Does the work and tells its outcome, or what went wrong. An outcome that the page shows anyway is not told. */
export async function run(
  parts: Pick<ActionParts, 'store'>,
  work: () => Promise<Outcome | string | undefined>,
): Promise<void> {
  try {
    const outcome = await work()
    if (outcome === undefined) parts.store.set({ notice: undefined })
    else tell(parts, outcome)
  } catch (error) {
    parts.store.set({ notice: { text: toSentence(error), isError: true } })
  }
}
