import type { Fault } from '../api/model.ts'

/** A common fault with its own switch. */
export interface Preset {
  readonly name: 'outage' | 'reset' | 'timeout'
  readonly label: string
  /** The effect on clients. */
  readonly effect: string
  readonly fault: Pick<Fault, 'status' | 'error'>
}

export const PRESETS: readonly Preset[] = [
  { name: 'outage', label: 'Outage 503', effect: 'every request is answered with 503', fault: { status: 503 } },
  { name: 'reset', label: 'Connection reset', effect: 'every connection is reset', fault: { error: 'reset' } },
  { name: 'timeout', label: 'Timeout', effect: 'no request gets a response', fault: { error: 'timeout' } },
]

/** The delay of "Slow 1 s", in milliseconds. */
export const SLOW_MS = 1000

export function toPresetFault({ fault }: Preset): string {
  return JSON.stringify(fault)
}

/** The preset that equals a fault, if any. */
export function toPresetOf({ id: _id, used: _used, ...fault }: Fault): Preset | undefined {
  return PRESETS.find((preset) => JSON.stringify(preset.fault) === JSON.stringify(fault))
}

/** The warning about active presets, as a title and a sentence; `undefined` without an active preset. */
export function describePresets(
  faults: readonly Fault[],
): { readonly title: string; readonly effect?: string } | undefined {
  const presets = faults.map(toPresetOf)
  // The first matching fault is injected. A preset matches every request, so later faults have no effect.
  const earlier = presets.findIndex((preset) => preset !== undefined)
  const preset = presets[earlier]
  if (preset === undefined) return undefined
  if (earlier === 0) return { title: `${preset.label} is on:`, effect: `${preset.effect}.` }
  return { title: `${preset.label} and ${earlier === 1 ? 'another fault' : `${earlier} other faults`} are on.` }
}
