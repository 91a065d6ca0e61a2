import { type Addresses, type Control, toFieldError, toSentence } from '../api/control.ts'
import type { ConsoleState, Notice, Store } from './console-state.ts'
import { toFixtureText } from './pets.ts'

/** What all actions share. */
export interface ActionParts {
  readonly store: Store<ConsoleState>
  readonly addresses: Addresses
  /** Switches to another sandbox. */
  readonly open: (sandbox: string) => void
  /** The control API of the current sandbox. */
  readonly getControl: () => Control
  /** Loads the list of requests again. */
  readonly refreshRequests: () => void
}

/** The result of an action, as a sentence. */
export interface Outcome {
  readonly text: string
  /** Takes the action back. May return a sentence of its own. */
  readonly undo?: (() => Promise<unknown>) | undefined
}

/** Shows a result, for an action that has made its change already. */
export function tell({ store }: Pick<ActionParts, 'store'>, outcome: Outcome | string): void {
  store.set({ notice: toNotice(outcome, store.state.changes) })
}

/** Runs an action and shows a notice with its result or error. Without a result text there is no notice. */
export async function run(
  parts: Pick<ActionParts, 'store'>,
  work: () => Promise<Outcome | string | undefined>,
  explain: (error: unknown) => string = toSentence,
): Promise<void> {
  const problem = await attempt(parts, work, explain)
  if (problem !== undefined) parts.store.set({ notice: { text: problem, isError: true } })
}

/** Runs an action and shows a notice with its result. Returns the error as a sentence for a field, or `undefined`. */
export async function attempt(
  { store }: Pick<ActionParts, 'store'>,
  work: () => Promise<Outcome | string | undefined>,
  explain: (error: unknown) => string = toFieldError,
): Promise<string | undefined> {
  // The next change is that of the action itself, if nobody else makes one.
  const lastChange = store.state.changes + 1
  try {
    const outcome = await work()
    store.set({ notice: outcome === undefined ? undefined : toNotice(outcome, lastChange) })
    return undefined
  } catch (error) {
    return explain(error)
  }
}

function toNotice(outcome: Outcome | string, lastChange: number): Notice {
  if (typeof outcome === 'string') return { text: outcome, isError: false }
  const { text, undo } = outcome
  return { text, isError: false, undo: undo && { run: undo, lastChange } }
}

/** Undoes the action of the notice, if nothing has changed the stock since. */
export async function undo(parts: Pick<ActionParts, 'store'>): Promise<void> {
  const { store } = parts
  const { notice } = store.state
  if (notice?.undo === undefined || !canUndo(store.state)) return
  const { text, undo } = notice
  store.set({ notice: { text, isError: false } })
  return run(parts, async () => {
    const sentence = await undo.run()
    return typeof sentence === 'string' ? sentence : `Undone: ${text}`
  })
}

/** Whether nothing has changed the stock since the action of the notice. */
export function canUndo({ notice, changes }: Pick<ConsoleState, 'notice' | 'changes'>): boolean {
  return notice?.undo !== undefined && changes <= notice.undo.lastChange
}

/**
 * Returns a function that puts the stock back as it is now, and its fixture.
 * @param isFileOpened Whether the action opens a file. All files have the same name.
 */
export function keepStock(
  { store, getControl }: Pick<ActionParts, 'store' | 'getControl'>,
  isFileOpened = false,
): () => Promise<void> {
  const { fixture, fixtures, pets } = store.state
  const list = [...pets.byId.values()]
  return async () => {
    const { ask } = getControl()
    const isSame = !isFileOpened && store.state.fixture === fixture
    // A file that was loaded before has no name that could be loaded.
    const isListed = fixtures.some(({ name }) => name === fixture)
    if (!isSame && isListed) await ask('POST /load', { body: { fixture } })
    await ask('PUT /state', {
      ...((isSame || isListed) && { query: { fixture: 'keep' } }),
      json: toFixtureText(list),
    })
  }
}
