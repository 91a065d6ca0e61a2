import { AnswerError, toSentence } from '../api/control.ts'
import type { Delay, Fault, Latency } from '../api/model.ts'
import { type ActionParts, run } from './action-parts.ts'
import { type Preset, toMilliseconds, toPresetFault, toPresetOf } from './faults.ts'
import { createUndo, keepFaults } from './undo.ts'

/** Fault injection and latency. */
export interface FaultActions {
  /**
   * Returns the error as a sentence, or `undefined`.
   * @param json A fault, as JSON.
   */
  addFault(json: string): Promise<string | undefined>
  removeFault(id: number): Promise<void>
  clearFaults(): Promise<void>
  /** Turns on one preset and turns the others off, or turns all off. */
  switchPreset(preset: Preset | undefined): Promise<void>
  setDelay(delay: Delay): Promise<void>
}

export function createFaultActions(parts: ActionParts): FaultActions {
  const { getControl } = parts
  const list = () => getControl().ask('GET /faults')
  const add = (json: string): Promise<unknown> => getControl().ask('POST /faults', { json })

  /** The fault may be used up, or removed by another client, before the request arrives. */
  async function remove(id: number): Promise<void> {
    try {
      await getControl().ask('DELETE /faults/{id}', { params: { id: String(id) } })
    } catch (error) {
      if (!(error instanceof AnswerError) || error.status !== 404) throw error
    }
  }

  /** Returns the labels of the removed presets. */
  async function removePresets(): Promise<string[]> {
    const labels: string[] = []
    for (const fault of await list()) {
      const preset = toPresetOf(fault)
      if (preset === undefined) continue
      await remove(fault.id)
      labels.push(preset.label)
    }
    return labels
  }

  return {
    async addFault(json) {
      try {
        await add(json)
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
        const labels = await removePresets()
        if (preset !== undefined) {
          await add(toPresetFault(preset))
          return undefined
        }
        return `${[...new Set(labels)].join(', ')} is off${countFaults(await list())}`
      }),
    setDelay: (delay) =>
      run(parts, async () => {
        await getControl().ask('PUT /delay', { body: { delay } })
        return describeDelay(delay, parts.store.state.health?.delay ?? 0)
      }),
  }
}

function countFaults({ length }: readonly Fault[]): string {
  if (length === 0) return ''
  return length === 1 ? '. Another fault is still active.' : `. ${length} other faults are still active.`
}

function describeDelay(delay: Delay, own: Latency): string {
  const effective = delay ?? own
  return effective === 0 ? 'Latency removed' : `Responses take ${toMilliseconds(effective)}`
}
