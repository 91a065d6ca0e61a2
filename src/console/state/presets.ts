import type { Fault } from '../api/model.ts'

/** A fault of the common kinds, at one click. */
export interface Preset {
  readonly name: 'outage' | 'reset' | 'timeout'
  readonly label: string
  /** What clients see, after "every request". */
  readonly effect: string
  readonly fault: Pick<Fault, 'status' | 'error'>
}

export const PRESETS: readonly Preset[] = [
  { name: 'outage', label: 'Outage 503', effect: 'is answered with 503', fault: { status: 503 } },
  { name: 'reset', label: 'Connection reset', effect: 'has its connection reset', fault: { error: 'reset' } },
  { name: 'timeout', label: 'Times out', effect: 'gets no answer', fault: { error: 'timeout' } },
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
