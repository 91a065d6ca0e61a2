import { DEFAULT_API_KEY, DEFAULT_SANDBOX, isSandboxName, splitApiKey, toApiKey } from '../api/sandbox-key.ts'
import { type ActionParts, run, tell } from './action-parts.ts'
import { createFaultActions, type FaultActions } from './fault-actions.ts'
import { createPetActions, type PetActions } from './pet-actions.ts'
import { createRequestActions, type RequestActions } from './request-actions.ts'
import { writeSetting } from './settings.ts'
import { createUndo, keepDelay, keepFaults, keepStock } from './undo.ts'

/** Everything a user can do. */
export interface Actions extends PetActions, RequestActions, FaultActions, SandboxActions {}

export function createActions(parts: ActionParts): Actions {
  return {
    ...createPetActions(parts),
    ...createRequestActions(parts),
    ...createFaultActions(parts),
    ...createSandboxActions(parts),
  }
}

/** Actions on a whole sandbox, and its keys. */
interface SandboxActions {
  loadFixture(name: string): Promise<void>
  /** @param text A fixture as JSON. */
  openFixture(text: string): Promise<void>
  reset(): Promise<void>
  /** The state as a fixture file. */
  saveFixture(): Promise<string | undefined>
  /** Accepts a name, or a key such as `demo-key~checkout-7`. Returns whether it is one. A key alone is none. */
  openSandbox(name: string): boolean
  listSandboxes(): Promise<void>
  setApiKey(key: string): void
  /** Accepts the typed key. A key with a sandbox, `demo-key~checkout-7`, opens that sandbox. */
  useApiKey(): void
  setToken(token: string): void
  tell(text: string): void
}

function createSandboxActions(parts: ActionParts): SandboxActions {
  const { store, open, getControl } = parts

  function setApiKey(apiKey: string): void {
    writeSetting('key', apiKey)
    store.set({ apiKey, isKeyRefused: false })
  }

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

  /** Replaces the stock, which can be undone. */
  const replaceStock = (text: string, name: string, replace: () => Promise<unknown>) =>
    run(parts, async () => {
      const stock = await keepStock(parts)
      await replace()
      return { text, undo: createUndo(parts, { name, restores: [stock] }) }
    })

  return {
    loadFixture: (fixture) =>
      replaceStock(`Loaded ${fixture}`, 'Load', () => getControl().ask('POST /load', { body: { fixture } })),
    openFixture: (json) => replaceStock('File loaded', 'Load', () => getControl().ask('PUT /state', { json })),
    reset: () =>
      run(parts, async () => {
        const [stock, faults] = await Promise.all([keepStock(parts), keepFaults(parts)])
        const restores = [stock, faults, keepDelay(parts), keepRest]
        await getControl().ask('POST /reset')
        return {
          text: 'Stock, faults, latency and journal reset',
          undo: createUndo(parts, { name: 'Reset', restores }),
        }
      }),
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
    useApiKey() {
      if (splitApiKey(store.state.apiKey) !== undefined) openSandbox(store.state.apiKey)
    },
    setToken(token) {
      writeSetting('token', token)
      store.set({ token })
      open(store.state.sandbox)
    },
    tell: (text) => tell(parts, text),
  }
}

/** A reset also removes things that no request can restore. */
const keepRest = async (): Promise<readonly string[]> => [
  'the journal',
  'handlers that a program added',
  'the random sequence',
]
