import { AnswerError } from '../api/control.ts'
import type { Pet } from '../api/model.ts'
import { type ActionParts, attempt, keepStock, type Outcome, run, tell, undo } from './action-parts.ts'
import { applyPetEvent, parsePets, toNumber } from './pets.ts'
import { toCount } from './to-count.ts'

/** How many pets are announced while they are on their way. */
const MANY = 300

/** Changes of pets. */
export function createPetActions(parts: ActionParts) {
  const { store, getControl } = parts

  /** Changes a pet past the service, so that the change needs no key, triggers no fault and is in no journal. */
  async function change(petId: string, values: object, toWords: (pet: Pet) => string): Promise<Outcome> {
    const { ask } = getControl()
    const before = store.state.pets.byId.get(petId)
    const pet = await ask('PUT /pets/{petId}', { params: { petId }, json: JSON.stringify(values) })
    store.set({ pets: applyPetEvent(store.state.pets, { pet }) })
    if (before === undefined || (before.quantity === pet.quantity && before.status === pet.status))
      return { text: toWords(pet) }
    const body = { quantity: before.quantity, status: before.status }
    return { text: toWords(pet), undo: () => ask('PUT /pets/{petId}', { params: { petId }, body }) }
  }

  return {
    /** Returns the error as a sentence, or `undefined`. */
    saveQuantity: (petId: string, text: string) =>
      attempt(parts, () =>
        change(
          petId,
          { quantity: toNumber(text) },
          ({ quantity }) => `Pet ${petId} has ${quantity.toLocaleString('en')} in stock`,
        ),
      ),
    setStatus: (petId: string, status: Pet['status']) =>
      run(parts, () => change(petId, { status }, () => `Pet ${petId} is ${status}`)),
    removePet: (petId: string) =>
      run(parts, async () => {
        const undo = keepStock(parts)
        await getControl().ask('DELETE /pets/{petId}', { params: { petId } })
        return { text: `Pet ${petId} removed`, undo }
      }),
    /**
     * Adds the pets of a pasted table or of JSON, or none of them. Returns the error as a sentence, or `undefined`.
     * @param signal Takes back what the mock has added already.
     */
    async addPets(text: string, signal: AbortSignal) {
      const typed = parsePets(text)
      if (typeof typed === 'string') return typed
      const { notice } = store.state
      if (typed.pets.length >= MANY) tell(parts, `Adding ${toCount(typed.pets.length, 'pet')}…`)
      const problem = await attempt(parts, async () => {
        const undo = keepStock(parts)
        const known = new Set(store.state.pets.byId.keys())
        const pets = await getControl()
          .ask('PUT /pets', { json: JSON.stringify(typed.pets) })
          .catch((error) => {
            throw toLineError(error, typed.lines)
          })
        return { text: toWords(pets, known), undo }
      })
      if (problem !== undefined) store.set({ notice })
      else if (signal.aborted) await undo(parts)
      return problem
    },
  }
}

/** What a paste has done: `Pet 5 changed`, `2 pets added`, `2 pets added, 1 changed`. */
function toWords(pets: readonly Pet[], known: ReadonlySet<string>): string {
  const changed = pets.filter(({ petId }) => known.has(petId)).length
  const added = pets.length - changed
  if (added > 0 && changed > 0) return `${toCount(added, 'pet')} added, ${changed.toLocaleString('en')} changed`
  const subject = pets.length === 1 ? `Pet ${pets[0]?.petId}` : toCount(pets.length, 'pet')
  return `${subject} ${changed > 0 ? 'changed' : 'added'}`
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
