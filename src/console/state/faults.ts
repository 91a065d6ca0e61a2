import { AnswerError } from '../api/control.ts'
import type { ConnectionFault, Delay, Fault, JournalEntry, Latency } from '../api/model.ts'
import { OPERATIONS } from '../api/operations.gen.ts'
import { type ActionParts, attempt, run } from './action-parts.ts'
import { type FaultFields, toLatency } from './console-state.ts'
import { toNumber } from './pets.ts'
import { toCount } from './to-count.ts'

/** Fault injection and latency. */
export function createFaultActions(parts: ActionParts) {
  const { store, getControl } = parts
  const add = (fault: object): Promise<unknown> => getControl().ask('POST /faults', { json: JSON.stringify(fault) })

  /** The fault may be used up, or removed by another client, before the request arrives. */
  async function remove(id: number): Promise<void> {
    try {
      await getControl().ask('DELETE /faults/{id}', { params: { id: String(id) } })
    } catch (error) {
      if (!(error instanceof AnswerError) || error.status !== 404) throw error
    }
  }

  return {
    /** Shows the form for a new fault, with what is known of it already; hides it without. */
    draftFault: (draft: Partial<FaultFields> | undefined) => store.set({ draft }),
    /** Returns the error as a sentence, or `undefined`. */
    async addFault(fields: FaultFields) {
      if (fields.effect === 'none' && fields.delay.trim() === '') return 'Choose a response, or enter a delay.'
      return attempt(parts, async () => {
        await add(toFault(fields))
        store.set({ draft: undefined })
        return 'Fault added'
      })
    },
    removeFault: (id: number) =>
      run(parts, async () => {
        await remove(id)
        return `Fault ${id} removed`
      }),
    /** Also ends the latency. */
    clearFaults: () =>
      run(parts, async () => {
        await getControl().ask('DELETE /faults')
        await getControl().ask('PUT /delay', { body: { delay: null } })
        return 'All faults removed'
      }),
    /** Turns on one preset and turns the others off, or turns all off. */
    switchPreset: (preset: Preset | undefined) =>
      run(parts, async () => {
        const presets = (await getControl().ask('GET /faults')).filter((fault) => toPresetOf(fault) !== undefined)
        for (const { id } of presets) await remove(id)
        if (preset !== undefined) await add(preset.fault)
        return undefined
      }),
    setDelay: (delay: Delay) =>
      run(parts, async () => {
        await getControl().ask('PUT /delay', { body: { delay } })
        const latency = toLatency({ ...store.state, delay })
        return latency === 0 ? 'Latency removed' : `Every request waits ${toTime(latency)}`
      }),
  }
}

/** A common fault with its own switch. */
export interface Preset {
  readonly label: string
  readonly fault: Pick<Fault, 'status' | 'error'>
}

export const PRESETS: readonly Preset[] = [
  { label: 'Outage 503', fault: { status: 503 } },
  { label: 'Connection reset', fault: { error: 'reset' } },
  { label: 'Timeout', fault: { error: 'timeout' } },
]

/** The delay of "Slow 1 s", in milliseconds. */
export const SLOW_MS = 1000

/** The preset that equals a fault, if any. */
export function toPresetOf({ id: _id, used: _used, ...fault }: Fault): Preset | undefined {
  return PRESETS.find((preset) => JSON.stringify(preset.fault) === JSON.stringify(fault))
}

// An object, so that the compiler demands every kind in the contract.
export const BROKEN: Readonly<Record<ConnectionFault, string>> = {
  network: 'broken connection',
  reset: 'connection reset',
  timeout: 'no response',
  truncated: 'truncated response',
}

const STATUSES = ['503', '500', '502', '504', '429', '400', '401', '403', '404', '409']

/** What a fault can do: the value of the field, and its words. */
export const EFFECTS: readonly (readonly [string, string])[] = [
  ...STATUSES.map((status) => [status, status] as const),
  ...Object.entries(BROKEN),
  ['none', 'the usual response'],
]

/** Converts the form to a fault, without the empty fields. The mock checks the others, and explains what is wrong. */
export function toFault({ times, target, petId, effect, delay }: FaultFields): object {
  const [, method, path] = /^(?:([A-Za-z]+)\s+)?(\/\S*)$/.exec(target.trim()) ?? []
  return {
    operation: path === undefined ? toText(target) : undefined,
    method: method?.toUpperCase(),
    path,
    petId: toText(petId),
    status: STATUSES.includes(effect) ? Number(effect) : undefined,
    error: Object.hasOwn(BROKEN, effect) ? effect : undefined,
    delay: toText(delay),
    times: times.trim() === '' ? undefined : toNumber(times),
  }
}

function toText(value: string): string | undefined {
  return value.trim() || undefined
}

/** The beginning of a fault for requests like this one. */
export function toDraft({ operation, petId, request, resource }: JournalEntry): Partial<FaultFields> {
  const takesPet = OPERATIONS.some(({ id, path }) => id === operation && path.includes('{petId}'))
  return {
    target: operation ?? `${request.method} ${resource.split('?', 1)[0]}`,
    petId: takesPet ? (petId ?? '') : '',
  }
}

/** A fault in words: `PATCH /v1/inventory/7: 503, after 200 ms, once`, or `GET /v1/inventory waits 3 s`. */
export function describeFault(fault: Fault, basePath: string): string {
  const { status, statuses, rateLimit, error, delay, times, probability, after, every } = fault
  const { bytesPerSecond, retryAfter } = fault
  const isSlow = delay !== undefined && [status, statuses, rateLimit, error].every((effect) => effect === undefined)
  const effects = [
    status === undefined ? undefined : `${status}`,
    statuses === undefined ? undefined : statuses.join(', then '),
    rateLimit === undefined ? undefined : `${rateLimit.requests} requests in ${toTime(rateLimit.window)}`,
    error === undefined ? undefined : BROKEN[error],
    delay === undefined ? undefined : `${isSlow ? 'waits' : 'after'} ${toTime(delay)}`,
    bytesPerSecond === undefined ? undefined : `${bytesPerSecond.toLocaleString('en')} bytes per second`,
    retryAfter === undefined ? undefined : `retry after ${retryAfter} s`,
    probability === undefined ? undefined : `for ${Math.round(probability * 1000) / 10} % of requests`,
    after === undefined || after === 0 ? undefined : `after ${toCount(after, 'request')}`,
    every === undefined || every === 1 ? undefined : `1 request in ${every}`,
    times === undefined ? undefined : times === 1 ? 'once' : toCount(times, 'time'),
  ]
  const requests = describeRequests(fault, basePath)
  return `${requests}${isSlow ? '' : ':'} ${effects.filter((effect) => effect !== undefined).join(', ')}`
}

function describeRequests({ operation, method, path, petId, times }: Fault, basePath: string): string {
  const known = OPERATIONS.find(({ id }) => id === operation)
  if (known !== undefined) return `${known.method} ${basePath}${known.path.replace('{petId}', petId ?? '{petId}')}`
  const names = [method, path && basePath + path].filter((name) => name !== undefined)
  const requests = names.join(' ') || (times === undefined ? 'Every request' : 'Any request')
  return petId === undefined ? requests : `${requests} of pet ${petId}`
}

/** An operation in words: `Set quantity (PATCH)`, `List inventory (GET)`. */
export function toLabel({ id, method }: (typeof OPERATIONS)[number]): string {
  const words =
    id === 'updateInventory' ? 'set quantity' : id.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} (${method})`
}

/** Formats a latency: `200 ms`, `100 to 300 ms`, `3 s`. */
export function toTime(delay: Latency): string {
  const bounds = typeof delay === 'string' ? delay.split('-').map(Number) : [delay].flat()
  const [unit, size] = bounds.every((bound) => bound >= 1000) ? (['s', 1000] as const) : (['ms', 1] as const)
  return `${bounds.map((bound) => (bound / size).toLocaleString('en')).join(' to ')} ${unit}`
}
