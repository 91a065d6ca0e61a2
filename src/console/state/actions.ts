import { toAnswerError, toSentence } from '../api/control.ts'
import { parseJson } from '../api/json.ts'
import type { Exchange, Pet } from '../api/model.ts'
import { splitApiKey, toApiKey } from '../api/sandbox-key.ts'
import { type ServiceRequest, sendToService } from '../api/service.ts'
import { type ActionParts, run, tell } from './action-parts.ts'
import { createFaultActions, type FaultActions } from './fault-actions.ts'
import { applyPetEvent } from './pets.ts'
import { toReplay } from './reuse-request.ts'
import { createUndo, keepDelay, keepFaults, keepJournal, keepStock } from './undo.ts'

/** Everything a user can do. */
export interface Actions extends ServiceActions, SandboxActions, FaultActions {}

export function createActions(parts: ActionParts): Actions {
  return { ...createServiceActions(parts), ...createSandboxActions(parts), ...createFaultActions(parts) }
}

/** Actions that call the service with the API key, like any client. */
export interface ServiceActions {
  /** Returns the error as a sentence, or `undefined`. */
  saveQuantity(petId: string, text: string, signal?: AbortSignal): Promise<string | undefined>
  /** Replays a request of the journal with the current key; returns the result as a sentence. */
  replay(exchange: Exchange): Promise<string>
  /** Reads the exchange from the journal again, which may have more of its body by now; `undefined` if it was dropped. */
  reread(exchange: Exchange): Promise<Exchange | undefined>
}

export function createServiceActions(parts: ActionParts): ServiceActions {
  const { store, addresses, getControl } = parts
  async function send(request: ServiceRequest): Promise<Response> {
    const { apiKey } = store.state
    const response = await sendToService(request, { addresses, apiKey: toApiKey(store.state) })
    if (store.state.apiKey === apiKey) store.set({ isKeyRefused: response.status === 401 })
    return response
  }

  return {
    async saveQuantity(petId, text, signal) {
      try {
        const response = await send({
          method: 'PATCH',
          path: `${store.state.health?.basePath ?? '/v1'}/inventory/${petId}`,
          headers: { 'content-type': 'application/json' },
          body: toQuantityBody(text),
          ...(signal !== undefined && { signal }),
        })
        if (!response.ok) return toSentence(await toAnswerError(response))
        const pet = parseJson<Pet>(await response.text())
        store.set({ pets: applyPetEvent(store.state.pets, { pet }) })
        tell(parts, `Pet ${pet.petId} has ${pet.quantity.toLocaleString('en')} in stock`)
        return undefined
      } catch (error) {
        return toSentence(error)
      }
    },
    async replay(exchange) {
      const start = performance.now()
      try {
        const response = await send(toReplay(exchange))
        await response.text()
        return `Replayed: ${response.status} after ${Math.round(performance.now() - start)} ms`
      } catch (error) {
        return `Not replayed: ${toSentence(error).toLowerCase()}`
      }
    },
    async reread({ id }) {
      const query = { after: String(id - 1), before: String(id + 1) }
      const journal = getControl().ask('GET /journal', { query })
      const { entries } = await journal.catch(() => ({ entries: [] }))
      return entries.find((entry) => entry.id === id)
    },
  }
}

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/**
 * Builds the body of a stock update from the typed text. A number keeps its digits. Anything else is sent as a string,
 * so that the service's own error message explains it.
 */
export function toQuantityBody(text: string): string {
  const typed = text.trim().replace(/^[−–]/, '-')
  return `{"quantity":${JSON_NUMBER.test(typed) ? typed : JSON.stringify(typed)}}`
}

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
