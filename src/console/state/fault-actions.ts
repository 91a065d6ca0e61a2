import { AnswerError, toSentence } from '../api/control.ts'
import type { Delay, Latency } from '../api/model.ts'
import { type ActionParts, run, tell } from './action-parts.ts'
import { type FaultFields, type Preset, toFaultJson, toMilliseconds, toPresetOf } from './faults.ts'
import { createUndo, keepFaults } from './undo.ts'

/** Fault injection and latency. */
export interface FaultActions {
  /** Shows the sentence for a new fault, with what is known of it already; hides it without. */
  draftFault(draft: Partial<FaultFields> | undefined): void
  /** Returns the error as a sentence, or `undefined`. */
  addFault(fields: FaultFields): Promise<string | undefined>
  removeFault(id: number): Promise<void>
  clearFaults(): Promise<void>
  /** Turns on one preset and turns the others off, or turns all off. */
  switchPreset(preset: Preset | undefined): Promise<void>
  setDelay(delay: Delay): Promise<void>
}

export function createFaultActions(parts: ActionParts): FaultActions {
  const { store, getControl } = parts
  const add = (json: string): Promise<unknown> => getControl().ask('POST /faults', { json })

  /** The fault may be used up, or removed by another client, before the request arrives. */
  async function remove(id: number): Promise<void> {
    try {
      await getControl().ask('DELETE /faults/{id}', { params: { id: String(id) } })
    } catch (error) {
      if (!(error instanceof AnswerError) || error.status !== 404) throw error
    }
  }

  return {
    draftFault: (draft) => store.set({ draft }),
    async addFault(fields) {
      try {
        await add(toFaultJson(fields))
        store.set({ draft: undefined })
        tell(parts, 'Fault added')
        return undefined
      } catch (error) {
        return toSentence(error)
      }
    },
    removeFault: (id) =>
      run(parts, async () => {
        await remove(id)
        return `Fault ${id} removed`
      }),
    clearFaults: () =>
      run(parts, async () => {
        const faults = await keepFaults(parts)
        await getControl().ask('DELETE /faults')
        return { text: 'All faults removed', undo: createUndo(parts, { name: 'Removal', restores: [faults] }) }
      }),
    switchPreset: (preset) =>
      run(parts, async () => {
        const presets = (await getControl().ask('GET /faults')).filter((fault) => toPresetOf(fault) !== undefined)
        for (const { id } of presets) await remove(id)
        if (preset !== undefined) await add(JSON.stringify(preset.fault))
        return undefined
      }),
    setDelay: (delay) =>
      run(parts, async () => {
        await getControl().ask('PUT /delay', { body: { delay } })
        return describeDelay(delay, store.state.health?.delay ?? 0)
      }),
  }
}

function describeDelay(delay: Delay, own: Latency): string {
  const effective = delay ?? own
  return effective === 0 ? 'Latency removed' : `Responses take ${toMilliseconds(effective)}`
}
