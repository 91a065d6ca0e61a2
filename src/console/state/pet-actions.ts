import { AnswerError, toAnswerError } from '../api/control.ts'
import { type Pet, parseJson } from '../api/model.ts'
import { type ActionParts, attempt, keepStock, run } from './action-parts.ts'
import { sendWithKey } from './journal.ts'
import { applyPetEvent, parsePets, toNumberJson } from './pets.ts'

/** Changes of pets. */
export function createPetActions(parts: ActionParts) {
  const { store, getControl } = parts

  /** Returns a function that gives a changed pet its earlier values; `undefined` if these are the same. */
  function keepPet(before: Pet | undefined, { petId, quantity, status }: Pet) {
    const { ask } = getControl()
    if (before === undefined || (before.quantity === quantity && before.status === status)) return undefined
    const body = { quantity: before.quantity, status: before.status }
    return () => ask('PUT /pets/{petId}', { params: { petId }, body })
  }

  return {
    /** Sends the service's own update with the API key. Returns the error as a sentence, or `undefined`. */
    saveQuantity: (petId: string, text: string, signal: AbortSignal) =>
      attempt(parts, async () => {
        const before = store.state.pets.byId.get(petId)
        const response = await sendWithKey(parts, {
          method: 'PATCH',
          path: `${store.state.basePath}/inventory/${petId}`,
          headers: { 'content-type': 'application/json' },
          body: `{"quantity":${toNumberJson(text)}}`,
          signal,
        })
        if (!response.ok) throw await toAnswerError(response)
        const pet = parseJson<Pet>(await response.text())
        store.set({ pets: applyPetEvent(store.state.pets, { pet }) })
        const words = `Pet ${pet.petId} has ${pet.quantity.toLocaleString('en')} in stock`
        return { text: words, undo: keepPet(before, pet) }
      }),
    setStatus: (petId: string, status: Pet['status']) =>
      run(parts, async () => {
        const before = store.state.pets.byId.get(petId)
        const pet = await getControl().ask('PUT /pets/{petId}', { params: { petId }, body: { status } })
        return { text: `Pet ${petId} is ${status}`, undo: keepPet(before, pet) }
      }),
    removePet: (petId: string) =>
      run(parts, async () => {
        const control = getControl()
        const undo = await keepStock(control)
        await control.ask('DELETE /pets/{petId}', { params: { petId } })
        return { text: `Pet ${petId} removed`, undo }
      }),
    /** Adds the pets of a pasted table or of JSON, or none of them. Returns the error as a sentence, or `undefined`. */
    async addPets(text: string) {
      const typed = parsePets(text)
      if (typeof typed === 'string') return typed
      return attempt(parts, async () => {
        const control = getControl()
        const undo = await keepStock(control)
        const pets = await control.ask('PUT /pets', { json: typed.json }).catch((error) => {
          throw toLineError(error, typed.lines)
        })
        return {
          text: pets.length === 1 ? `Pet ${pets[0]?.petId} added` : `${pets.length.toLocaleString('en')} pets added`,
          undo,
        }
      })
    },
  }
}

/** Names lines of the text instead of places in the list: `Line 4: quantity: must be …` for `[2].quantity: must be …`. */
function toLineError(error: unknown, lines: readonly number[]): unknown {
  if (!(error instanceof AnswerError) || lines.length === 0) return error
  const { message } = error
  const named = message
    .replaceAll(/^\[(\d+)\]\.?/gm, (_, index) => `Line ${lines[index]}: `)
    .replaceAll(/(?<=already used by )\[(\d+)\]$/gm, (_, index) => `line ${lines[index]}`)
  return named === message ? error : new AnswerError(named)
}
