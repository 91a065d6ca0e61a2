import type { ConnectionFault, Fault, Latency } from '../api/model.ts'

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

/** The fields of the fault form, as typed. */
export type FaultFields = Readonly<
  Record<'operation' | 'petId' | 'kind' | 'status' | 'delay' | 'times' | 'percent', string>
>

const WHOLE = /^-?\d+$/

/**
 * Converts the form to JSON. Empty fields are left out. Numbers keep their digits, so that a large petId stays exact.
 * Anything else is sent as a string, so that the mock's own error message explains it.
 */
export function toFaultJson({ operation, petId, kind, status, delay, times, percent }: FaultFields): string {
  const parts = {
    operation: toText(operation),
    petId: toNumber(petId),
    status: kind === 'status' ? toNumber(status) : undefined,
    error: kind === 'status' || kind === 'delay' ? undefined : toText(kind),
    delay: toNumber(delay),
    times: toNumber(times),
    probability: percent.trim() === '' ? undefined : toProbability(percent),
  }
  const properties = Object.entries(parts).flatMap(([name, json]) => (json === undefined ? [] : [`"${name}":${json}`]))
  return `{${properties.join(',')}}`
}

function toText(value: string): string | undefined {
  return value.trim() === '' ? undefined : JSON.stringify(value.trim())
}

function toNumber(value: string): string | undefined {
  return WHOLE.test(value.trim()) ? value.trim() : toText(value)
}

function toProbability(percent: string): string {
  const share = Number(percent) / 100
  return Number.isFinite(share) ? String(share) : JSON.stringify(percent)
}

const ERRORS: Readonly<Record<ConnectionFault, string>> = {
  network: 'the connection breaks',
  reset: 'the connection is reset',
  timeout: 'no response',
  truncated: 'the response is cut off',
}

/** A fault in words: `updateInventory of pet 7: 503, after 200 ms, 2 times`. */
export function describeFault(fault: Fault): string {
  const { status, statuses, rateLimit, error, delay, times, probability, after, every, retryAfter } = fault
  const effects = [
    status === undefined ? undefined : `${status}`,
    statuses === undefined ? undefined : statuses.join(', then '),
    rateLimit === undefined ? undefined : `${rateLimit.requests} requests in ${toMilliseconds(rateLimit.window)}`,
    error === undefined ? undefined : ERRORS[error],
    delay === undefined ? undefined : `after ${toMilliseconds(delay)}`,
    retryAfter === undefined ? undefined : `retry after ${retryAfter} s`,
    probability === undefined ? undefined : `for ${Math.round(probability * 1000) / 10} % of requests`,
    after === undefined || after === 0 ? undefined : `after ${after} ${after === 1 ? 'request' : 'requests'}`,
    every === undefined || every === 1 ? undefined : `1 request in ${every}`,
    times === undefined ? undefined : `${times} ${times === 1 ? 'time' : 'times'}`,
  ]
  return `${describeRequests(fault)}: ${effects.filter((effect) => effect !== undefined).join(', ')}`
}

function describeRequests({ operation, method, path, petId }: Fault): string {
  const names = [operation, method, path].filter((name) => name !== undefined)
  return `${names.length === 0 ? 'Every request' : names.join(' ')}${petId === undefined ? '' : ` of pet ${petId}`}`
}

/** Formats a latency: `1,000 ms`, `100 to 300 ms`. */
export function toMilliseconds(delay: Latency): string {
  const bounds = typeof delay === 'string' ? delay.split('-').map(Number) : [delay].flat()
  return `${bounds.map((bound) => bound.toLocaleString('en')).join(' to ')} ms`
}
