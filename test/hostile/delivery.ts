import type { Socket } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { Random } from './random.ts'

/** How the bytes of a case are sent. */
export interface Delivery {
  readonly title: string
  /** Where the bytes are cut into writes. */
  readonly cuts: readonly number[]
  /** The pause between two writes, in milliseconds; 0 is one turn of the event loop. */
  readonly pause: number
  /** What the client does after so many bytes, instead of sending the rest. */
  readonly ending?: { readonly kind: 'fin' | 'reset'; readonly at: number }
  /** Whether each request waits for the response to the one before it. */
  readonly waits: boolean
  /** How long the client does not read, in milliseconds. Behind that it reads little by little. */
  readonly deaf: number
  /** How long the client waits before it sends the next request, in milliseconds. */
  readonly idle: number
}

/** Longer than any moment for which a server holds a connection that it is about to close. */
const IDLE_MS = 800

/** The maximum number of bytes sent one by one, because each costs a turn on both sides. */
const LONGEST_DRIP = 1500

/** Draws how `length` bytes go out; `ends` is where requests end. */
export function drawDelivery(random: Random, { length, ends }: { length: number; ends: readonly number[] }): Delivery {
  const ending = random.chance(0.15) ? drawEnding(random, { length, ends }) : undefined
  const waits = ending === undefined && random.chance(0.25)
  // What a client does that tries again: a request that is refused early, and the rest or the next one a while later.
  const idle = waits && random.chance(0.06) ? IDLE_MS : 0
  const cuts = idle > 0 ? [1 + random.below(length)] : drawCuts(random, { length, ends })
  const short = random.weigh([
    [10, 0],
    [2, 1],
    [cuts.length < 8 ? 1 : 0, 15],
  ])
  const pause = idle > 0 ? idle : short
  const deaf = !waits && random.chance(0.05) ? random.pick([30, 100]) : 0
  const notes = [
    waits ? 'request by request' : 'pipelined',
    `${cuts.length + 1} writes`,
    ...(pause > 0 ? [`${pause} ms between`] : []),
    ...(ending === undefined ? [] : [`${ending.kind} after ${ending.at}`]),
    ...(deaf > 0 ? ['reads late'] : []),
  ]
  return {
    title: notes.join(', '),
    cuts,
    pause: cuts.length > 100 ? 0 : pause,
    waits,
    deaf,
    idle,
    ...(ending && { ending }),
  }
}

function drawCuts(random: Random, { length, ends }: { length: number; ends: readonly number[] }): number[] {
  const kind = random.weigh([
    [5, 'whole'],
    [2, 'one cut'],
    [2, 'some cuts'],
    [1, 'between requests'],
    [length <= LONGEST_DRIP ? 0.4 : 0, 'every byte'],
  ])
  if (kind === 'whole') return []
  if (kind === 'between requests') return ends.slice(0, -1)
  if (kind === 'every byte') return Array.from({ length: length - 1 }, (_, index) => index + 1)
  const count = kind === 'one cut' ? 1 : 2 + random.below(6)
  const cuts = Array.from({ length: count }, () => 1 + random.below(Math.max(1, length - 1)))
  return [...new Set(cuts)].sort((a, b) => a - b)
}

function drawEnding(random: Random, { length, ends }: { length: number; ends: readonly number[] }): Delivery['ending'] {
  const kind = random.pick(['fin', 'reset'] as const)
  // At any byte, or exactly behind a request.
  return { kind, at: random.chance(0.5) ? random.pick(ends) : random.below(length + 1) }
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
  { start, end, delivery }: { start: number; end: number; delivery: Delivery },
): Promise<void> {
  const { cuts, pause, ending } = delivery
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
