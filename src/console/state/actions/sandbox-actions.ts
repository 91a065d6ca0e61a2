import { splitApiKey } from '../api-key.ts'
import { type ActionParts, run, tell } from './action-parts.ts'
import { createUndo, keepDelay, keepFaults, keepJournal, keepStock } from './undo.ts'

/** Actions on a whole sandbox, and its keys. */
export interface SandboxActions {
  loadFixture(name: string): Promise<void>
  reset(): Promise<void>
  clearJournal(): Promise<void>
  openSandbox(name: string): void
  listSandboxes(): Promise<void>
  setApiKey(key: string): void
  /** Accepts the typed key. A key with a sandbox, `demo-key~checkout-7`, opens that sandbox. */
  useApiKey(): void
  setToken(token: string): void
  tell(text: string): void
}

export function createSandboxActions(parts: ActionParts): SandboxActions {
  const { store, settings, open, getControl } = parts

  function setApiKey(apiKey: string): void {
    settings.write('key', apiKey)
    store.set({ apiKey, isKeyRefused: false })
  }

  function openSandbox(name: string): void {
    open(name)
    tell(parts, `Sandbox ${name}`)
  }

  return {
    loadFixture: (name) =>
      run(parts, async () => {
        const stock = await keepStock(parts)
        await getControl().ask('POST /load', { body: { fixture: name } })
        return { text: `Loaded ${name}`, undo: createUndo(parts, { name: 'Load', restores: [stock] }) }
      }),
    reset: () =>
      run(parts, async () => {
        const [stock, faults, journal] = await Promise.all([keepStock(parts), keepFaults(parts), keepJournal(parts)])
        const restores = [stock, faults, keepDelay(parts), journal, keepCode]
        await getControl().ask('POST /reset')
        store.set({ cleared: [] })
        return {
          text: 'Stock, faults, latency and journal reset',
          undo: createUndo(parts, { name: 'Reset', restores }),
        }
      }),
    clearJournal: () =>
      run(parts, async () => {
        const journal = await keepJournal(parts)
        await getControl().ask('DELETE /journal')
        store.set({ cleared: [] })
        return { text: 'Journal cleared', undo: createUndo(parts, { name: 'Clear', restores: [journal] }) }
      }),
    openSandbox,
    async listSandboxes() {
      const sandboxes = await getControl()
        .ask('GET /sandboxes')
        .catch(() => undefined)
      if (sandboxes !== undefined) store.set({ sandboxes })
    },
    setApiKey,
    useApiKey() {
      const parted = splitApiKey(store.state.apiKey)
      if (parted === undefined) return
      setApiKey(parted.apiKey)
      if (parted.sandbox !== store.state.sandbox) openSandbox(parted.sandbox)
    },
    setToken(token) {
      settings.write('token', token)
      store.set({ token })
      open(store.state.sandbox)
    },
    tell: (text) => tell(parts, text),
  }
}

/** A reset also removes things that no request can restore. */
const keepCode = async (): Promise<readonly string[]> => ['handlers that a program added', 'the random sequence']
