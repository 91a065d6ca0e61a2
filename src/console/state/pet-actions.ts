import { toAnswerError, toSentence } from '../api/control.ts'
import { parseJson } from '../api/json.ts'
import type { Pet } from '../api/model.ts'
import { type ActionParts, run, tell } from './action-parts.ts'
import { applyPetEvent, parsePets, STATUSES, toNumberJson } from './pets.ts'
import { sendWithKey } from './request-actions.ts'
import { createUndo, keepPets } from './undo.ts'

/** Changes of single pets. */
export interface PetActions {
  /** Sends the service's own update with the API key. Returns the error as a sentence, or `undefined`. */
  saveQuantity(petId: string, text: string, signal?: AbortSignal): Promise<string | undefined>
  setStatus(petId: string, status: string): Promise<void>
  removePet(petId: string): Promise<void>
  /** Adds the pets of a pasted table. Returns the error as a sentence, or `undefined`. */
  addPets(text: string): Promise<string | undefined>
}

export function createPetActions(parts: ActionParts): PetActions {
  const { store, getControl } = parts

  function toUndo(petIds: readonly string[]) {
    return createUndo(parts, { name: 'Change', restores: [keepPets(parts, petIds)] })
  }

  return {
    async saveQuantity(petId, text, signal) {
      const undo = toUndo([petId])
      try {
        const response = await sendWithKey(parts, {
          method: 'PATCH',
          path: `${store.state.health?.basePath ?? '/v1'}/inventory/${petId}`,
          headers: { 'content-type': 'application/json' },
          body: `{"quantity":${toNumberJson(text)}}`,
          ...(signal !== undefined && { signal }),
        })
        if (!response.ok) return toSentence(await toAnswerError(response))
        const pet = parseJson<Pet>(await response.text())
        store.set({ pets: applyPetEvent(store.state.pets, { pet }) })
        tell(parts, { text: `Pet ${pet.petId} has ${pet.quantity.toLocaleString('en')} in stock`, undo })
        return undefined
      } catch (error) {
        return toSentence(error)
      }
    },
    setStatus: (petId, name) =>
      run(parts, async () => {
        const undo = toUndo([petId])
        const status = STATUSES.find((each) => each === name) ?? STATUSES[0]
        await getControl().ask('PUT /pets/{petId}', { params: { petId }, body: { status } })
        return { text: `Pet ${petId} is ${status}`, undo }
      }),
    removePet: (petId) =>
      run(parts, async () => {
        const undo = toUndo([petId])
        await getControl().ask('DELETE /pets/{petId}', { params: { petId } })
        return { text: `Pet ${petId} removed`, undo }
      }),
    async addPets(text) {
      const typed = parsePets(text)
      if (typeof typed === 'string') return typed
      const undo = toUndo(typed.map(({ petId }) => petId))
      let added = 0
      try {
        for (const { petId, json } of typed) {
          await getControl().ask('PUT /pets/{petId}', { params: { petId }, json })
          added += 1
        }
        const [first] = typed
        tell(parts, { text: typed.length === 1 ? `Pet ${first?.petId} added` : `${typed.length} pets added`, undo })
        return undefined
      } catch (error) {
        if (added > 0) tell(parts, { text: `${added} of ${typed.length} pets added`, undo })
        return `Line ${typed[added]?.line}: ${toSentence(error)}`
      }
    },
  }
}
