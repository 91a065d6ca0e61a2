import type { Fault } from '../api/model.ts'

/** A fault of the common kinds, at one click. */
export interface Preset {
  readonly name: 'outage' | 'reset' | 'timeout'
  readonly label: string
  /** What clients see. */
  readonly effect: string
  readonly fault: Pick<Fault, 'status' | 'error'>
}

export const PRESETS: readonly Preset[] = [
  { name: 'outage', label: 'Outage 503', effect: 'every request is answered with 503', fault: { status: 503 } },
  { name: 'reset', label: 'Connection reset', effect: 'every connection is reset', fault: { error: 'reset' } },
  { name: 'timeout', label: 'Times out', effect: 'no request gets a response', fault: { error: 'timeout' } },
]

/** The delay of "Slow 1 s", in milliseconds. */
export const SLOW_MS = 1000

export function toPresetFault({ fault }: Preset): string {
  return JSON.stringify(fault)
}

/** The preset that a fault is, if it is one and nothing else. */
export function toPresetOf({ id: _id, used: _used, ...fault }: Fault): Preset | undefined {
  return PRESETS.find((preset) => JSON.stringify(preset.fault) === JSON.stringify(fault))
}

/** What a page should say of the faults above all else, as a title and a sentence; `undefined` without a common fault. */
export function describePresets(
  faults: readonly Fault[],
): { readonly title: string; readonly effect?: string } | undefined {
  const presets = faults.map(toPresetOf)
  // The first fault that fits a request is injected: after a common one, which fits all, the others do not count.
  const earlier = presets.findIndex((preset) => preset !== undefined)
  const preset = presets[earlier]
  if (preset === undefined) return undefined
  if (earlier === 0) return { title: `${preset.label} is on:`, effect: `${preset.effect}.` }
  return { title: `${preset.label} and ${earlier === 1 ? 'another fault' : `${earlier} other faults`} are on.` }
}
