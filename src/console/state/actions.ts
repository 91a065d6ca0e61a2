import { DEFAULT_API_KEY, DEFAULT_SANDBOX, isSandboxName, splitApiKey, toApiKey } from '../api/sandbox-key.ts'
import { type ActionParts, run, tell } from './action-parts.ts'
import { createFaultActions, type FaultActions, keepFaults } from './fault-actions.ts'
import { createHistoryActions, type HistoryActions, markHistory } from './history.ts'
import { createPetActions, type PetActions } from './pet-actions.ts'
import { createRequestActions, type RequestActions } from './request-actions.ts'
import { writeSetting } from './settings.ts'

/** Everything a user can do. */
export interface Actions extends PetActions, HistoryActions, RequestActions, FaultActions, SandboxActions {}

export function createActions(parts: ActionParts): Actions {
  return {
    ...createPetActions(parts),
    ...createHistoryActions(parts),
    ...createRequestActions(parts),
    ...createFaultActions(parts),
    ...createSandboxActions(parts),
  }
}

type SandboxActions = ReturnType<typeof createSandboxActions>

/** Actions on a whole sandbox, and its keys. */
function createSandboxActions(parts: ActionParts) {
  const { store, open, getControl } = parts

  function setApiKey(apiKey: string): void {
    writeSetting('key', apiKey)
    store.set({ apiKey, isKeyRefused: false })
  }

  /** Accepts a name, or a key such as `demo-key~checkout-7`. Returns whether it is one. A key alone is none. */
  function openSandbox(text: string): boolean {
    const parted = splitApiKey(text)
    const name = parted?.sandbox ?? text
    // A key as a name would be in the page's URL and title.
    const keys = [DEFAULT_API_KEY, toApiKey({ apiKey: store.state.apiKey, sandbox: DEFAULT_SANDBOX })]
    if (!isSandboxName(name) || keys.includes(name)) return false
    if (parted !== undefined) setApiKey(parted.apiKey)
    if (name !== store.state.sandbox) {
      open(name)
      tell(parts, `Sandbox ${name}`)
    }
    return true
  }

  return {
    loadFixture: (fixture: string) =>
      run(parts, () =>
        getControl()
          .ask('POST /load', { body: { fixture } })
          .then(() => `Loaded ${fixture}`),
      ),
    /** @param json A fixture. */
    openFixture: (json: string) =>
      run(parts, () =>
        getControl()
          .ask('PUT /state', { json })
          .then(() => 'File loaded'),
      ),
    reset: () =>
      run(parts, async () => {
        const { ask } = getControl()
        const { delay } = store.state
        const restoreFaults = await keepFaults(parts)
        const restoreStock = await markHistory(getControl())
        await ask('POST /reset', { query: { history: 'keep' } })
        const undo = () =>
          run(parts, async () => {
            await restoreStock()
            await restoreFaults()
            await ask('PUT /delay', { body: { delay } })
            return 'Reset undone. Not restored: the journal, handlers of a program, the random sequence, the use of faults.'
          })
        return { text: 'Stock, faults, latency and journal reset', undo }
      }),
    /** The state as a fixture file. */
    async saveFixture() {
      let text: string | undefined
      await run(parts, async () => {
        text = await getControl().askText('GET /state')
        return undefined
      })
      return text
    },
    openSandbox,
    async listSandboxes() {
      const sandboxes = await getControl()
        .ask('GET /sandboxes')
        .catch(() => undefined)
      if (sandboxes !== undefined) store.set({ sandboxes })
    },
    setApiKey,
    /** Accepts the typed key. A key with a sandbox, `demo-key~checkout-7`, opens that sandbox. */
    useApiKey() {
      if (splitApiKey(store.state.apiKey) !== undefined) openSandbox(store.state.apiKey)
    },
    setToken(token: string) {
      writeSetting('token', token)
      store.set({ token })
      open(store.state.sandbox)
    },
    tell: (text: string) => tell(parts, text),
    /** Hides the notice. */
    dismiss: () => store.set({ notice: undefined }),
  }
}
