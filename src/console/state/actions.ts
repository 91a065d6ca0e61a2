import type { Addresses } from '../api/addresses.ts'
import { toAnswerError, toSentence } from '../api/answer-error.ts'
import type { Control } from '../api/control.ts'
import type { Delay, Exchange, Pet, SandboxSummary } from '../api/model.ts'
import { parseJson } from '../api/parse-json.ts'
import { sendToService } from '../api/service.ts'
import type { ConsoleState } from './console-state.ts'
import { applyPetEvent } from './pet-list.ts'
import { type Preset, toPresetFault, toPresetOf } from './presets.ts'
import { toReplay } from './replay.ts'
import type { Settings } from './settings.ts'
import type { Store } from './store.ts'
import { toApiKey } from './to-api-key.ts'
import { toQuantityBody } from './to-quantity-body.ts'

/** What a person can do. Those that give a string give what went wrong, as a sentence, or `undefined`. */
export interface Actions {
  /** Through the service, with the API key, as any client would. */
  saveQuantity(petId: string, text: string, signal?: AbortSignal): Promise<string | undefined>
  loadFixture(name: string): Promise<void>
  reset(): Promise<void>
  openSandbox(name: string): void
  listSandboxes(): Promise<void>
  setApiKey(key: string): void
  setToken(token: string): void
  /** @param json A fault, as JSON. */
  addFault(json: string): Promise<string | undefined>
  removeFault(id: number): Promise<void>
  clearFaults(): Promise<void>
  /** Switches on a fault of the common kinds, in place of any other of them, or all of them off. */
  switchPreset(preset: Preset | undefined): Promise<void>
  setDelay(delay: Delay): Promise<void>
  clearJournal(): Promise<void>
  /** Sends a request of the journal again, with the present key; says what came of it. */
  replay(exchange: Exchange): Promise<string>
  tell(text: string): void
}

export interface ActionParts {
  readonly store: Store<ConsoleState>
  readonly settings: Settings
  readonly addresses: Addresses
  readonly open: (sandbox: string) => void
  readonly getControl: () => Control
}

export function createActions({ store, settings, addresses, open, getControl }: ActionParts): Actions {
  const tell = (text: string, isError = false): void => store.set({ notice: { text, isError } })
  const toAccess = () => ({ addresses, apiKey: toApiKey(store.state) })

  /** Does what needs no answer of its own, and says what came of it. */
  async function run(work: () => Promise<unknown>, done: string): Promise<void> {
    try {
      await work()
      tell(done)
    } catch (error) {
      tell(toSentence(error), true)
    }
  }

  const removeFault = (id: number): Promise<unknown> => getControl().ask('DELETE', `/faults/${id}`)

  return {
    tell,
    async saveQuantity(petId, text, signal) {
      try {
        const response = await sendToService(
          {
            method: 'PATCH',
            path: `${store.state.health?.basePath ?? '/v1'}/inventory/${petId}`,
            headers: { 'content-type': 'application/json' },
            body: toQuantityBody(text),
            ...(signal !== undefined && { signal }),
          },
          toAccess(),
        )
        if (!response.ok) return toSentence(await toAnswerError(response))
        const pet = parseJson<Pet>(await response.text())
        store.set({ pets: applyPetEvent(store.state.pets, { pet }) })
        tell(`Pet ${pet.petId} has ${pet.quantity} in stock`)
        return undefined
      } catch (error) {
        return toSentence(error)
      }
    },
    loadFixture: (name) =>
      run(() => getControl().ask('POST', '/load', { json: JSON.stringify({ fixture: name }) }), `Loaded ${name}`),
    reset: () =>
      run(() => getControl().ask('POST', '/reset'), 'Reset: stock, faults, latency and journal are as at the start'),
    openSandbox(name) {
      open(name)
      tell(`Sandbox ${name}`)
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
    async addFault(json) {
      try {
        await getControl().ask('POST', '/faults', { json })
        return undefined
      } catch (error) {
        return toSentence(error)
      }
    },
    removeFault: (id) => run(() => removeFault(id), `Fault ${id} is gone`),
    clearFaults: () => run(() => getControl().ask('DELETE', '/faults'), 'All faults are gone'),
    switchPreset: (preset) =>
      run(
        async () => {
          for (const fault of store.state.faults) if (toPresetOf(fault) !== undefined) await removeFault(fault.id)
          if (preset !== undefined) await getControl().ask('POST', '/faults', { json: toPresetFault(preset) })
        },
        preset === undefined ? 'The service answers again' : `${preset.label} is on`,
      ),
    setDelay: (delay) =>
      run(
        () => getControl().ask('PUT', '/delay', { json: JSON.stringify({ delay }) }),
        delay === null ? 'Answers come at their own pace' : `Answers take ${delay} ms`,
      ),
    clearJournal: () => run(() => getControl().ask('DELETE', '/journal'), 'The journal is empty'),
    async replay(exchange) {
      const start = performance.now()
      try {
        const response = await sendToService(toReplay(exchange), toAccess())
        await response.text()
        return `Sent again: ${response.status} after ${Math.round(performance.now() - start)} ms`
      } catch (error) {
        return `Sent again: ${toSentence(error).toLowerCase()}`
      }
    },
  }
}
