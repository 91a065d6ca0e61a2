import type { SandboxSummary } from '../../api/model.ts'
import { type ActionParts, run, tell } from './action-parts.ts'

/** What is done to a sandbox as a whole, and with which keys it is looked at. */
export interface SandboxActions {
  loadFixture(name: string): Promise<void>
  reset(): Promise<void>
  clearJournal(): Promise<void>
  openSandbox(name: string): void
  listSandboxes(): Promise<void>
  setApiKey(key: string): void
  setToken(token: string): void
  tell(text: string): void
}

export function createSandboxActions(parts: ActionParts): SandboxActions {
  const { store, settings, open, getControl } = parts
  return {
    loadFixture: (name) =>
      run(
        parts,
        () => getControl().ask('POST', '/load', { json: JSON.stringify({ fixture: name }) }),
        `Loaded ${name}`,
      ),
    reset: () =>
      run(
        parts,
        () => getControl().ask('POST', '/reset'),
        'Reset: stock, faults, latency and journal are as at the start',
      ),
    clearJournal: () => run(parts, () => getControl().ask('DELETE', '/journal'), 'The journal is empty'),
    openSandbox(name) {
      open(name)
      tell(parts, `Sandbox ${name}`)
    },
    async listSandboxes() {
      const sandboxes = await getControl()
        .ask<SandboxSummary[]>('GET', '/sandboxes')
        .catch(() => undefined)
      if (sandboxes !== undefined) store.set({ sandboxes })
    },
    setApiKey(apiKey) {
      settings.write('key', apiKey)
      store.set({ apiKey })
    },
    setToken(token) {
      settings.write('token', token)
      store.set({ token })
      open(store.state.sandbox)
    },
    tell: (text) => tell(parts, text),
  }
}
