import { toSentence } from '../../api/answer-error.ts'
import type { Delay } from '../../api/model.ts'
import { type Preset, toPresetFault, toPresetOf } from '../presets.ts'
import { type ActionParts, run } from './action-parts.ts'

/** Misbehaviour on purpose. */
export interface FaultActions {
  /**
   * Gives what went wrong, as a sentence, or `undefined`.
   * @param json A fault, as JSON.
   */
  addFault(json: string): Promise<string | undefined>
  removeFault(id: number): Promise<void>
  clearFaults(): Promise<void>
  /** Switches on a fault of the common kinds, in place of any other of them, or all of them off. */
  switchPreset(preset: Preset | undefined): Promise<void>
  setDelay(delay: Delay): Promise<void>
}

export function createFaultActions(parts: ActionParts): FaultActions {
  const { store, getControl } = parts
  const add = (json: string): Promise<unknown> => getControl().ask('POST', '/faults', { json })
  const remove = (id: number): Promise<unknown> => getControl().ask('DELETE', `/faults/${id}`)

  async function replacePresets(preset: Preset | undefined): Promise<void> {
    for (const fault of store.state.faults) if (toPresetOf(fault) !== undefined) await remove(fault.id)
    if (preset !== undefined) await add(toPresetFault(preset))
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
    removeFault: (id) => run(parts, () => remove(id), `Fault ${id} is gone`),
    clearFaults: () => run(parts, () => getControl().ask('DELETE', '/faults'), 'All faults are gone'),
    switchPreset: (preset) =>
      run(
        parts,
        () => replacePresets(preset),
        preset === undefined ? 'The service answers again' : `${preset.label} is on`,
      ),
    setDelay: (delay) =>
      run(
        parts,
        () => getControl().ask('PUT', '/delay', { json: JSON.stringify({ delay }) }),
        delay === null ? 'Answers come at their own pace' : `Answers take ${delay} ms`,
      ),
  }
}
