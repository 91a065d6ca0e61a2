import { toAnswerError, toSentence } from '../../api/answer-error.ts'
import type { Exchange, Pet } from '../../api/model.ts'
import { parseJson } from '../../api/parse-json.ts'
import { type ServiceRequest, sendToService } from '../../api/service.ts'
import { toApiKey } from '../api-key.ts'
import { applyPetEvent } from '../pet-list.ts'
import { toReplay } from '../replay.ts'
import { type ActionParts, tell } from './action-parts.ts'

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
