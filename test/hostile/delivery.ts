import type { Socket } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { pick, weigh } from './requests/request.ts'

/** How the bytes of a case are sent. */
export interface Delivery {
  /** Where the bytes are cut into writes. */
  readonly cuts: readonly number[] | 'requests' | 'bytes'
  /** The pause between two writes, in milliseconds; 0 is one turn of the event loop. */
  readonly pause: number
  /** What the client does after so many bytes, or requests, instead of sending the rest. */
  readonly ending?: { readonly kind: 'fin' | 'reset'; readonly at: number; readonly isRequest: boolean }
  /** Whether each request waits for the response to the one before it. */
  readonly waits: boolean
  /** How long the client does not read, in milliseconds. Behind that it reads little by little. */
  readonly deaf: number
  /** How long the client waits before it sends the next request, in milliseconds. */
  readonly idle: number
}

/** A delivery of certain bytes. */
export interface Places extends Pick<Delivery, 'pause'> {
  readonly cuts: readonly number[]
  readonly ending: { readonly kind: 'fin' | 'reset'; readonly at: number } | undefined
}

/** Longer than any moment for which a server holds a connection that it is about to close. */
const IDLE_MS = 800
/** The maximum number of bytes sent one by one, because each costs a turn on both sides. */
const LONGEST_DRIP = 1500
const PROMPT = { pause: 0, waits: false, deaf: 0, idle: 0 }

const places = fc.nat(300_000)
const cuts = weigh<Delivery['cuts']>(
  [50, fc.constant([])],
  [20, fc.tuple(places)],
  [20, fc.array(places, { minLength: 2, maxLength: 7 })],
  [10, fc.constant('requests' as const)],
  [4, fc.constant('bytes' as const)],
)
const ending = fc.record({ kind: pick(['fin', 'reset'] as const), at: places, isRequest: fc.boolean() })
const pause = weigh([10, fc.constant(0)], [2, fc.constant(1)], [1, fc.constant(15)])

export const delivery: fc.Arbitrary<Delivery> = weigh<Delivery>(
  [150, fc.record({ cuts, pause, ending }).map((drawn) => ({ ...PROMPT, ...drawn }))],
  [200, fc.record({ cuts, pause }).map((drawn) => ({ ...PROMPT, ...drawn, waits: true }))],
  // What a client does that tries again: a request that is refused early, and the rest or the next one a while later.
  [12, fc.tuple(places).map((cut) => ({ ...PROMPT, cuts: cut, waits: true, pause: IDLE_MS, idle: IDLE_MS }))],
  [600, fc.record({ cuts, pause }).map((drawn) => ({ ...PROMPT, ...drawn }))],
  [40, fc.record({ cuts, pause, deaf: pick([30, 100]) }).map((drawn) => ({ ...PROMPT, ...drawn }))],
)

/** The delivery of these bytes, in which requests end at `ends`. */
export function toPlaces({ cuts, pause, ending, idle }: Delivery, ends: readonly number[]): Places {
  const length = ends.at(-1) ?? 0
  const toList = (): readonly number[] => {
    if (cuts === 'requests') return ends.slice(0, -1)
    if (cuts === 'bytes')
      return length > LONGEST_DRIP ? [] : Array.from({ length: length - 1 }, (_, index) => index + 1)
    return [...new Set(cuts.map((cut) => 1 + (cut % Math.max(1, length - 1))))].sort((a, b) => a - b)
  }
  const toEnd = (at: number, isRequest: boolean) => (isRequest ? (ends[at % ends.length] ?? 0) : at % (length + 1))
  const list = toList()
  return {
    cuts: list,
    pause: list.length > 8 && idle === 0 ? Math.min(pause, list.length > 100 ? 0 : 1) : pause,
    ending: ending && { kind: ending.kind, at: toEnd(ending.at, ending.isRequest) },
  }
}

/** Makes a socket that was paused read for a moment again and again. */
export function drip(socket: Socket): void {
  if (socket.destroyed) return
  const timer = setInterval(() => (socket.isPaused() ? socket.resume() : socket.pause()), 2)
  socket.once('close', () => clearInterval(timer))
}

/** Sends the bytes from `start` to `end`; resolves when they left. A server that closed meanwhile is no error here. */
export async function deliver(
  socket: Socket,
  bytes: Buffer,
  { start = 0, end = bytes.byteLength, cuts, pause, ending }: Places & { start?: number; end?: number },
): Promise<void> {
  const last = Math.min(end, ending?.at ?? end)
  const places = [start, ...cuts.filter((cut) => cut > start && cut < last), last]
  for (const [index, place] of places.slice(0, -1).entries()) {
    if (socket.destroyed || !socket.writable) return
    if (index > 0) await (pause === 0 ? turn() : sleep(pause))
    await write(socket, bytes.subarray(place, places[index + 1]))
  }
  if (ending?.kind === 'fin') socket.end()
  if (ending?.kind === 'reset') socket.resetAndDestroy()
}

/** Where a server reads no further, the bytes stay here: the end of the connection is awaited elsewhere. */
function write(socket: Socket, bytes: Buffer): Promise<void> {
  if (!socket.writable || bytes.byteLength === 0) return Promise.resolve()
  return new Promise((resolve) => socket.write(bytes, () => resolve()))
}
