import { toAnswerError, toSentence } from '../../api/answer-error.ts'
import type { Exchange, Pet } from '../../api/model.ts'
import { parseJson } from '../../api/parse-json.ts'
import { type ServiceRequest, sendToService } from '../../api/service.ts'
import { toApiKey } from '../api-key.ts'
import { applyPetEvent } from '../pet-list.ts'
import { toReplay } from '../replay.ts'
import { type ActionParts, tell } from './action-parts.ts'

/** What goes through the service, with the API key, as any client would do it. */
export interface ServiceActions {
  /** Gives what went wrong, as a sentence, or `undefined`. */
  saveQuantity(petId: string, text: string, signal?: AbortSignal): Promise<string | undefined>
  /** Sends a request of the journal again, with the current key; says what came of it. */
  replay(exchange: Exchange): Promise<string>
  /** The exchange as the journal has it now, with a body that came late; `undefined` where it is gone. */
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
 * The body of a stock update out of what was typed. A number goes as it was written, and everything else as text, so
 * that the service's own message says what is wrong with it.
 */
export function toQuantityBody(text: string): string {
  const typed = text.trim().replace(/^[−–]/, '-')
  return `{"quantity":${JSON_NUMBER.test(typed) ? typed : JSON.stringify(typed)}}`
}
