import { toAnswerError, toSentence } from '../api/control.ts'
import type { Pet } from '../api/model.ts'
import { parseJson } from '../api/model.ts'
import { type ActionParts, run, tell } from './action-parts.ts'
import { markHistory } from './history.ts'
import { applyPetEvent, parsePets, toNumberJson } from './pets.ts'
import { sendWithKey } from './request-actions.ts'

export type PetActions = ReturnType<typeof createPetActions>

/** Changes of single pets. */
export function createPetActions(parts: ActionParts) {
  const { store, getControl } = parts
  return {
    /** Sends the service's own update with the API key. Returns the error as a sentence, or `undefined`. */
    async saveQuantity(petId: string, text: string, signal: AbortSignal) {
      try {
        const response = await sendWithKey(parts, {
          method: 'PATCH',
          path: `${store.state.basePath}/inventory/${petId}`,
          headers: { 'content-type': 'application/json' },
          body: `{"quantity":${toNumberJson(text)}}`,
          signal,
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
    setStatus: (petId: string, status: Pet['status']) =>
      run(parts, async () => {
        await getControl().ask('PUT /pets/{petId}', { params: { petId }, body: { status } })
        return `Pet ${petId} is ${status}`
      }),
    removePet: (petId: string) =>
      run(parts, async () => {
        await getControl().ask('DELETE /pets/{petId}', { params: { petId } })
        return `Pet ${petId} removed`
      }),
    /** Adds the pets of a pasted table. Returns the error as a sentence, or `undefined`. */
    async addPets(text: string) {
      const typed = parsePets(text)
      if (typeof typed === 'string') return typed
      let added = 0
      let undo: (() => Promise<void>) | undefined
      try {
        const restore = await markHistory(getControl())
        undo = () => run(parts, () => restore().then(() => `${added} pets undone`))
        for (const { petId, json } of typed) {
          await getControl().ask('PUT /pets/{petId}', { params: { petId }, json })
          added += 1
        }
        if (typed.length === 1) tell(parts, `Pet ${typed[0]?.petId} added`)
        else tell(parts, { text: `${typed.length} pets added`, undo })
        return undefined
      } catch (error) {
        if (added > 0) tell(parts, { text: `${added} of ${typed.length} pets added`, undo })
        return `Line ${typed[added]?.line}: ${toSentence(error)}`
      }
    },
  }
}
