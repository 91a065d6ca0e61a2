import { AnswerError, toSentence } from '../api/control.ts'
import type { Delay, Fault, Latency } from '../api/model.ts'
import { parseExactly, parseJson } from '../api/model.ts'
import { type ActionParts, run, tell } from './action-parts.ts'
import { type FaultFields, type Preset, toFaultJson, toMilliseconds, toPresetOf } from './faults.ts'

export type FaultActions = ReturnType<typeof createFaultActions>

/** Fault injection and latency. */
export function createFaultActions(parts: ActionParts) {
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
    /** Shows the sentence for a new fault, with what is known of it already; hides it without. */
    draftFault: (draft: Partial<FaultFields> | undefined) => store.set({ draft }),
    /** Returns the error as a sentence, or `undefined`. */
    async addFault(fields: FaultFields) {
      try {
        await add(toFaultJson(fields))
        store.set({ draft: undefined })
        tell(parts, 'Fault added')
        return undefined
      } catch (error) {
        return toSentence(error)
      }
    },
    removeFault: (id: number) =>
      run(parts, async () => {
        await remove(id)
        return `Fault ${id} removed`
      }),
    clearFaults: () =>
      run(parts, async () => {
        const restoreFaults = await keepFaults(parts)
        await getControl().ask('DELETE /faults')
        const undo = () =>
          run(parts, async () => {
            await restoreFaults()
            return 'Removal undone'
          })
        return { text: 'All faults removed', undo }
      }),
    /** Turns on one preset and turns the others off, or turns all off. */
    switchPreset: (preset: Preset | undefined) =>
      run(parts, async () => {
        const presets = (await getControl().ask('GET /faults')).filter((fault) => toPresetOf(fault) !== undefined)
        for (const { id } of presets) await remove(id)
        if (preset !== undefined) await add(JSON.stringify(preset.fault))
        return undefined
      }),
    setDelay: (delay: Delay) =>
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

/** Returns a function that adds the present faults again. */
export async function keepFaults({ getControl }: Pick<ActionParts, 'getControl'>): Promise<() => Promise<void>> {
  const control = getControl()
  const text = await control.askText('GET /faults')
  const faults = parseJson<Fault[]>(text)
  const written = parseExactly(text) as Readonly<Record<string, unknown>>[]
  return async () => {
    for (const [index, { id: _id, used: _used, ...fault }] of written.entries()) {
      const { times, used = 0 } = faults[index] ?? {}
      // Each as it was written, with its remaining `times`.
      const json = JSON.stringify({ ...fault, ...(times !== undefined && { times: times - used }) })
      await control.ask('POST /faults', { json })
    }
  }
}
