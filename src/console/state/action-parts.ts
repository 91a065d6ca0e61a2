import { type Addresses, type Control, toSentence } from '../api/control.ts'
import type { ConsoleState, Notice, Store } from './console-state.ts'

/** What all actions share. */
export interface ActionParts {
  readonly store: Store<ConsoleState>
  readonly addresses: Addresses
  /** Switches to another sandbox. */
  readonly open: (sandbox: string) => void
  /** The control API of the current sandbox. */
  readonly getControl: () => Control
  /** What a redo makes again together, by `readPlace` after its undo. */
  readonly undone: Map<string, () => Promise<Outcome>>
  /** Loads the list of requests again. */
  readonly refreshRequests: () => void
  /** Loads the history again, if it is shown. */
  readonly refreshHistory: () => void
}

/** The result of an action, as a sentence. */
export type Outcome = Pick<Notice, 'text' | 'undo'>

export function tell({ store }: Pick<ActionParts, 'store'>, outcome: Outcome | string): void {
  store.set({ notice: { ...(typeof outcome === 'string' ? { text: outcome } : outcome), isError: false } })
}

/** Runs an action and shows a notice with its result or error. Without a result text there is no notice. */
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

/** The latest change of the stock, and the first that is undone. */
export async function readPlace({ store, getControl }: ActionParts): Promise<string> {
  const changes = await getControl().ask('GET /history')
  return [store.state.sandbox, changes.at(-1)?.id, changes.find(({ isUndone }) => isUndone)?.id].join(' ')
}
