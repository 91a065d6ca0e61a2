import { toAnswerError, toSentence } from '../api/control.ts'
import { type Change, type Pet, parseJson } from '../api/model.ts'
import { type ActionParts, type Outcome, readPlace, run, tell } from './action-parts.ts'
import { readExchange, sendWithKey } from './journal.ts'
import { applyPetEvent, parsePets, toNumberJson } from './pets.ts'

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
        const restore = await markHistory(parts)
        undo = () => run(parts, async () => `${(await restore()).length} changes undone`)
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

/** Undo and redo of every change of the stock. */
export function createHistoryActions(parts: ActionParts) {
  const { store, getControl, undone, refreshHistory } = parts

  const undo = (body: { id?: number }) =>
    run(parts, async () => {
      const [latest, ...others] = await undoChanges(parts, body)
      if (latest === undefined) return 'Nothing to undo'
      return others.length === 0 ? `Undone: ${describeChange(latest)}` : `${others.length + 1} changes undone`
    })

  return {
    /** Undoes the last action if its notice offers that, or else the latest change. */
    async undo() {
      const { notice } = store.state
      if (notice?.undo === undefined) return undo({})
      store.set({ notice: { ...notice, undo: undefined } })
      return notice.undo()
    },
    /** Undoes a change and all later ones. */
    undoTo: (id: number) => undo({ id }),
    redo: () =>
      run(parts, async () => {
        const place = await readPlace(parts)
        const again = undone.get(place)
        undone.delete(place)
        if (again !== undefined) return again()
        const [change] = await getControl().ask('POST /history/redo')
        return change === undefined ? 'Nothing to redo' : `Redone: ${describeChange(change)}`
      }),
    showHistory(isShown: boolean) {
      store.set({ history: isShown ? [] : undefined })
      refreshHistory()
    },
    /** Opens the request that made a change. */
    async openCause(exchange: number) {
      if ((await readExchange(getControl(), exchange)) === undefined)
        tell(parts, `Request ${exchange} is no longer in the journal`)
      else store.set({ opened: exchange })
    },
  }
}

/** Undoes the latest change, or the one with this id and all later ones, which a redo makes again together. */
async function undoChanges(parts: ActionParts, body: { id?: number }): Promise<readonly Change[]> {
  const { ask } = parts.getControl()
  const changes = await ask('POST /history/undo', { body })
  async function redo(): Promise<Outcome> {
    const { id } = changes.at(-1) as Change
    for (const _ of changes) await ask('POST /history/redo')
    const undo = () => run(parts, () => undoChanges(parts, { id }).then(() => `${changes.length} changes undone`))
    return { text: `${changes.length} changes redone`, undo }
  }
  if (changes.length > 1) parts.undone.set(await readPlace(parts), redo)
  return changes
}

/** Returns a function that undoes all changes that are made from now on. */
export async function markHistory(parts: ActionParts): Promise<() => Promise<readonly Change[]>> {
  const { ask } = parts.getControl()
  const mark = (await ask('GET /history')).at(-1)?.id ?? 0
  return async () => {
    const first = (await ask('GET /history')).find(({ id, isUndone }) => id > mark && !isUndone)
    return first === undefined ? [] : undoChanges(parts, { id: first.id })
  }
}

/** A change in words: `Pet 5: 25 to 12`. */
export function describeChange({ petId, before, after }: Change): string {
  if (petId === undefined) return 'Stock replaced'
  const pet = before ?? after
  if (before === undefined || after === undefined)
    return `Pet ${petId} ${before === undefined ? 'added' : 'removed'}: ${pet?.quantity.toLocaleString('en')} ${pet?.status}`
  const parts = [
    [before.quantity.toLocaleString('en'), after.quantity.toLocaleString('en')],
    [before.status, after.status],
  ]
  const changed = parts.filter(([then, now]) => then !== now).map((part) => part.join(' to '))
  return `Pet ${petId}: ${changed.join(', ')}`
}
