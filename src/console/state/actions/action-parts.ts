import type { Addresses } from '../../api/addresses.ts'
import { toSentence } from '../../api/answer-error.ts'
import type { Control } from '../../api/control.ts'
import type { ConsoleState } from '../console-state.ts'
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

export function tell({ store }: Pick<ActionParts, 'store'>, text: string, isError = false): void {
  store.set({ notice: { text, isError } })
}

/** Does what needs no answer of its own, and says what came of it. */
export async function run(parts: ActionParts, work: () => Promise<unknown>, done: string): Promise<void> {
  try {
    await work()
    tell(parts, done)
  } catch (error) {
    tell(parts, toSentence(error), true)
  }
}
