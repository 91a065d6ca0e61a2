import { AnswerError, toFieldError } from '../api/control.ts'
import { DEFAULT_API_KEY, DEFAULT_SANDBOX, isSandboxName, splitApiKey, toApiKey } from '../api/model.ts'
import { type ActionParts, keepStock, run, tell, undo } from './action-parts.ts'
import { createFaultActions } from './faults.ts'
import { createRequestActions } from './journal.ts'
import { createPetActions } from './pet-actions.ts'
import { toFixtureText } from './pets.ts'
import { writeSetting } from './place.ts'
import { toUnused } from './to-unused.ts'

/** Everything a user can do. */
export type Actions = ReturnType<typeof createActions>

export function createActions(parts: ActionParts) {
  return {
    ...createPetActions(parts),
    ...createRequestActions(parts),
    ...createFaultActions(parts),
    ...createSandboxActions(parts),
    undo: () => undo(parts),
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

  return {
    loadFixture: (fixture: string) =>
      run(parts, async () => {
        const undo = keepStock(parts)
        await getControl().ask('POST /load', { body: { fixture } })
        return { text: `Loaded ${fixture}`, undo }
      }),
    /** @param json A fixture. */
    openFixture: (json: string) =>
      run(
        parts,
        async () => {
          if (/^\s*\{\s*"log"/.test(json)) throw new AnswerError("This is a HAR. Open it in a browser's network panel")
          const undo = keepStock(parts, true)
          await getControl().ask('PUT /state', { json })
          return { text: 'File loaded', undo }
        },
        toFieldError,
      ),
    reset: () =>
      run(parts, async () => {
        const control = getControl()
        const { delay, fixture } = store.state
        const restoreStock = keepStock(parts)
        const faults = await control.ask('GET /faults')
        await control.ask('POST /reset', { query: { fixture: 'keep' } })
        // There is nothing left to find, and what comes next must be seen.
        store.set({ find: '' })
        async function undo(): Promise<string> {
          await restoreStock()
          for (const fault of faults) await control.ask('POST /faults', { json: JSON.stringify(toUnused(fault)) })
          await control.ask('PUT /delay', { body: { delay } })
          return 'Reset undone. Not restored: the requests, handlers of a program, the random sequence, the use of faults.'
        }
        return { text: `Reset to ${fixture}: stock, faults, latency and requests`, undo }
      }),
    /** The state as a fixture file. */
    saveFixture: () =>
      run(parts, async () => {
        saveFile(`${store.state.sandbox}.json`, toFixtureText((await getControl().ask('GET /state')).inventory))
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
    /** @param text May take a while: Safari copies only right after a click, but takes a promise. */
    copy: (text: string | Promise<string>, done: string) =>
      run(parts, async () => {
        if (await copyText(Promise.resolve(text))) return done
        throw new AnswerError('The browser does not allow copying')
      }),
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
async function copyText(text: Promise<string>): Promise<boolean> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })])
    return true
  } catch {
    const area = Object.assign(document.createElement('textarea'), { value: await text })
    document.body.append(area)
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    return isCopied
  }
}
