import { DEFAULT_API_KEY, DEFAULT_SANDBOX, isSandboxName, splitApiKey, toApiKey } from '../api/model.ts'
import { type ActionParts, type Outcome, readPlace, run, tell } from './action-parts.ts'
import { createFaultActions, keepFaults } from './faults.ts'
import { createRequestActions } from './journal.ts'
import { createHistoryActions, createPetActions, markHistory } from './pet-actions.ts'
import { writeSetting } from './place.ts'

/** Everything a user can do. */
export type Actions = ReturnType<typeof createActions>

export function createActions(parts: ActionParts) {
  return {
    ...createPetActions(parts),
    ...createHistoryActions(parts),
    ...createRequestActions(parts),
    ...createFaultActions(parts),
    ...createSandboxActions(parts),
  }
}

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

  async function reset(): Promise<Outcome> {
    const { ask } = getControl()
    const { delay, fixture } = store.state
    const restoreFaults = await keepFaults(parts)
    const restoreStock = await markHistory(parts)
    await ask('POST /reset', { query: { history: 'keep', fixture: 'keep' } })
    async function restore(): Promise<string> {
      await restoreStock()
      await restoreFaults()
      await ask('PUT /delay', { body: { delay } })
      parts.undone.set(await readPlace(parts), reset)
      return 'Reset undone. Not restored: the journal, handlers of a program, the random sequence, the use of faults.'
    }
    return { text: `Reset to ${fixture}: stock, faults, latency and journal`, undo: () => run(parts, restore) }
  }

  return {
    loadFixture: (fixture: string) =>
      run(parts, async () => {
        await getControl().ask('POST /load', { body: { fixture } })
        return `Loaded ${fixture}`
      }),
    /** @param json A fixture. */
    openFixture: (json: string) =>
      run(parts, async () => {
        await getControl().ask('PUT /state', { json })
        return 'File loaded'
      }),
    reset: () => run(parts, reset),
    /** The state as a fixture file. */
    saveFixture: () =>
      run(parts, async () => {
        saveFile(`${store.state.sandbox}.json`, await getControl().askText('GET /state'))
        return undefined
      }),
    /** The journal, with all bodies. */
    saveHar: () =>
      run(parts, async () => {
        saveFile(`${store.state.sandbox}.har`, await getControl().askText('GET /journal.har'))
        return undefined
      }),
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
    async setToken({ token = '' }: Readonly<Record<string, string>>) {
      writeSetting('token', token)
      store.set({ token })
      open(store.state.sandbox)
      return undefined
    },
    async copy(text: string, done: string) {
      tell(parts, (await copyText(text)) ? done : 'The browser does not allow copying')
    },
    /** Hides the notice. */
    dismiss: () => store.set({ notice: undefined }),
  }
}

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url))
}

/** Returns whether it worked. Pages over http from another machine have no clipboard API, but may copy a selection. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = Object.assign(document.createElement('textarea'), { value: text })
    document.body.append(area)
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    return isCopied
  }
}
