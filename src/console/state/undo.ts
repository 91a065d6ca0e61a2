import { parseExactly, parseJson } from '../api/json.ts'
import type { Fault } from '../api/model.ts'
import { type ActionParts, run } from './action-parts.ts'

/** Restores what was saved before an action; resolves with descriptions of what cannot be restored. */
type Restore = () => Promise<readonly string[]>

type UndoParts = Pick<ActionParts, 'store' | 'getControl'>

/** An action that can be undone. */
export function createUndo(parts: UndoParts, { name, restores }: { name: string; restores: readonly Restore[] }) {
  return (): Promise<void> =>
    run(parts, async () => {
      const missing: string[] = []
      for (const restore of restores) missing.push(...(await restore()))
      return missing.length === 0 ? `${name} undone.` : `${name} undone. Not restored: ${missing.join(', ')}.`
    })
}

export async function keepStock({ store, getControl }: UndoParts): Promise<Restore> {
  const control = getControl()
  const { fixture, fixtures } = store.state
  const stock = await control.askText('GET /state')
  return async () => {
    // The mock keeps a fixture's name only if the fixture is loaded by name.
    if (fixtures.some(({ name }) => name === fixture)) {
      const loaded = await control.askText('POST /load', { body: { fixture } })
      if (loaded === stock) return []
    }
    await control.ask('PUT /state', { json: stock })
    return [`the fixture’s name (${fixture})`]
  }
}

/** Pets as the page shows them. One that did not exist is removed again. */
export function keepPets({ store, getControl }: UndoParts, petIds: readonly string[]): Restore {
  const control = getControl()
  const before = petIds.map((petId) => ({ petId, pet: store.state.pets.byId.get(petId) }))
  return async () => {
    for (const { petId, pet } of before) {
      const params = { petId }
      if (pet === undefined) await control.ask('DELETE /pets/{petId}', { params }).catch(() => {})
      else {
        const { quantity, status } = pet
        await control.ask('PUT /pets/{petId}', { params, body: { quantity, status } })
      }
    }
    return []
  }
}

export async function keepFaults({ getControl }: UndoParts): Promise<Restore> {
  const control = getControl()
  const text = await control.askText('GET /faults')
  const faults = parseJson<Fault[]>(text)
  return async () => {
    for (const json of toFaultsToAdd(text, faults)) await control.ask('POST /faults', { json })
    return faults.some(({ used }) => used > 0) ? ['how often faults were triggered'] : []
  }
}

export function keepDelay({ store, getControl }: UndoParts): Restore {
  const control = getControl()
  const { delay } = store.state
  return async () => {
    await control.ask('PUT /delay', { body: { delay } })
    return []
  }
}

/** Each fault as written, with its remaining `times`. */
function toFaultsToAdd(text: string, faults: readonly Fault[]): string[] {
  const written = parseExactly(text) as Readonly<Record<string, unknown>>[]
  return written.map(({ id: _id, used: _used, ...fault }, index) => {
    const { times, used = 0 } = faults[index] ?? {}
    return JSON.stringify({ ...fault, ...(times !== undefined && { times: times - used }) })
  })
}
