import { MockError } from '../http/mock-error.ts'
import { quote, showValue } from '../http/quote.ts'
import type { Random } from '../store/random.ts'

// Taken when this module is loaded, so that a runner's fake timers do not stop the mock.
const { setTimeout, clearTimeout } = globalThis
// Node's own next turn; a time-out of 0 takes a millisecond there.
const { setImmediate } = globalThis as { setImmediate?: (callback: () => void) => unknown }
const { now: readSystemTime } = Date
const { performance } = globalThis

/** The mock's time: delays pass by it, and journal entries carry it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Whether time stands until `advance()` moves it. */
  readonly isVirtual: boolean
  /** How many delays are waiting. */
  readonly pending: number
  /** Stops the time: from now on delays pass when `advance()` says so. Those that are waiting go on waiting. */
  useVirtual(): void
  /** Lets the time run again. What still waits for virtual time passes at once. */
  useReal(): void
  /**
   * Moves virtual time, and with it every delay that ends on the way: the earlier end first, and of equal ends the one
   * that began first; each one's answer is on its way before the next delay ends. Resolves when all have passed.
   * @param ms How far, in milliseconds.
   * @throws {MockError} `INVALID_OPTION` while the time is real, or for a number that is no length of time.
   */
  advance(ms: number): Promise<void>
}

/** The clock with what the service needs of it. */
export interface ServiceClock extends Clock {
  /** Waits. Resolves early, with `false`, when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<boolean>
  /** For durations: milliseconds with their fraction, which never go back. */
  ticks(): number
}

interface Sleeper {
  readonly due: number
  wake(): void
}

export function createClock(): ServiceClock {
  let virtualNow: number | undefined
  const sleepers = new Set<Sleeper>()

  function sleep(ms: number, signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted === true) return Promise.resolve(false)
    return new Promise((resolve) => {
      const isVirtual = virtualNow !== undefined
      const sleeper: Sleeper = { due: clock.now() + ms, wake: () => settle(true) }
      const timer = isVirtual ? undefined : setTimeout(sleeper.wake, ms)
      const abort = (): void => settle(false)
      const settle = (passed: boolean): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        sleepers.delete(sleeper)
        resolve(passed)
      }
      signal?.addEventListener('abort', abort)
      sleepers.add(sleeper)
    })
  }

  const clock: ServiceClock = {
    now: () => virtualNow ?? readSystemTime(),
    ticks: () => virtualNow ?? performance.timeOrigin + performance.now(),
    get isVirtual() {
      return virtualNow !== undefined
    },
    get pending() {
      return sleepers.size
    },
    useVirtual() {
      virtualNow ??= readSystemTime()
    },
    useReal() {
      virtualNow = undefined
      for (const sleeper of [...sleepers]) sleeper.wake()
    },
    async advance(ms) {
      if (virtualNow === undefined) throw toAdvanceError('the time is real. Call clock.useVirtual() first.')
      if (!(Number.isFinite(ms) && ms >= 0)) throw toAdvanceError(`${showValue(ms, 40)} is no number of milliseconds.`)
      const end = virtualNow + ms
      await settle()
      for (let next = takeNext(end); next !== undefined; next = takeNext(end)) {
        virtualNow = Math.max(virtualNow, next.due)
        next.wake()
        await settle()
      }
      virtualNow = end
    },
    sleep,
  }

  /** The delay that ends first, if it ends by then; of equal ends the one that began first. */
  function takeNext(end: number): Sleeper | undefined {
    let next: Sleeper | undefined
    for (const sleeper of sleepers) {
      if (sleeper.due <= end && (next === undefined || sleeper.due < next.due)) next = sleeper
    }
    return next
  }

  return clock
}

/** Lets all that was set off run as far as it can without waiting for time. */
function settle(): Promise<void> {
  return new Promise((resolve) => (setImmediate === undefined ? setTimeout(resolve, 0) : setImmediate(resolve)))
}

function toAdvanceError(reason: string): MockError {
  return new MockError('INVALID_OPTION', `Failed to advance the clock: ${reason}`)
}

/** A latency in milliseconds: fixed, or drawn evenly from a range, bounds included. */
export type Delay = number | readonly [min: number, max: number]

const LONGEST_MS = 24 * 60 * 60 * 1000

/**
 * Reads a delay: `200`, `[100, 300]`, `'200'` or `'100-300'`.
 * @throws {MockError} `INVALID_OPTION` naming `place`.
 */
export function parseDelay(value: unknown, place: string): Delay {
  const range = typeof value === 'string' ? parseText(value) : value
  if (Array.isArray(range) ? isRange(range) : isDelay(range)) return range as Delay
  throw new MockError(
    'INVALID_OPTION',
    `${place} must be milliseconds up to a day, as 200, [100, 300] or '100-300', got ${quote(value)}`,
  )
}

/** The milliseconds of one answer. */
export function drawDelay(delay: Delay, random: Random): number {
  if (typeof delay === 'number') return delay
  const [min, max] = delay
  return min + Math.floor(random() * (max - min + 1))
}

function parseText(text: string): unknown {
  const parts = /^(\d+)(?:-(\d+))?$/.exec(text)
  if (parts === null) return text
  return parts[2] === undefined ? Number(parts[1]) : [Number(parts[1]), Number(parts[2])]
}

function isRange([min, max, ...more]: readonly unknown[]): boolean {
  return isDelay(min) && isDelay(max) && min <= max && more.length === 0
}

function isDelay(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= LONGEST_MS
}
