import { clearTimeout, performance, readSystemTime, setImmediate, setTimeout } from '../http/globals.ts'
import { MockError } from '../http/mock-error.ts'
import { showValue } from '../http/quote.ts'

/** The time that delays and journal entries use. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Whether time stands still until `advance()` moves it. */
  readonly isVirtual: boolean
  /** The number of delays in progress. */
  readonly pending: number
  /** Stops time: new delays end only through `advance()`. A delay in progress ends in real time, or through `advance()` if that comes first. */
  useVirtual(): void
  /** Returns to real time. Delays in progress end immediately. */
  useReal(): void
  /**
   * Moves virtual time forward and ends the delays that are due, ordered by their end, then by their start. Each
   * response is sent before the next delay ends. Resolves when all due delays have ended.
   * @param ms The distance in milliseconds.
   * @throws {MockError} `INVALID_OPTION` in real time, or unless `ms` is a number of 0 or more.
   */
  advance(ms: number): Promise<void>
}

export interface ServiceClock extends Clock {
  /** Resolves to `true` after `ms` milliseconds, or to `false` as soon as one of the signals aborts. */
  sleep(ms: number, ...signals: readonly AbortSignal[]): Promise<boolean>
  /** Fractional milliseconds for measuring durations. They decrease only when virtual time returns to real time. */
  ticks(): number
}

interface Sleeper {
  readonly due: number
  wake(): void
}

export function createClock(): ServiceClock {
  /**
   * The time while it stands still, and where the advances in progress lead. A new object each time that it stops, so that
   * an `advance` in progress notices.
   */
  let stopped: { now: number; target: number } | undefined
  const sleepers = new Set<Sleeper>()

  function sleep(ms: number, ...signals: readonly AbortSignal[]): Promise<boolean> {
    if (signals.some(({ aborted }) => aborted)) return Promise.resolve(false)
    return new Promise((resolve) => {
      const isVirtual = stopped !== undefined
      const sleeper: Sleeper = { due: clock.now() + ms, wake: () => settle(true) }
      const timer = isVirtual ? undefined : setTimeout(sleeper.wake, ms)
      const abort = (): void => settle(false)
      const settle = (passed: boolean): void => {
        clearTimeout(timer)
        for (const signal of signals) signal.removeEventListener('abort', abort)
        sleepers.delete(sleeper)
        resolve(passed)
      }
      for (const signal of signals) signal.addEventListener('abort', abort)
      sleepers.add(sleeper)
    })
  }

  const clock: ServiceClock = {
    now: () => stopped?.now ?? readSystemTime(),
    ticks: () => stopped?.now ?? performance.timeOrigin + performance.now(),
    get isVirtual() {
      return stopped !== undefined
    },
    get pending() {
      return sleepers.size
    },
    useVirtual() {
      const now = readSystemTime()
      stopped ??= { now, target: now }
    },
    useReal() {
      stopped = undefined
      for (const sleeper of [...sleepers]) sleeper.wake()
    },
    async advance(ms) {
      const time = stopped
      if (time === undefined)
        throw toAdvanceError('the time is real. First call useVirtual(), or send { "mode": "virtual" }.')
      // A second `advance` goes on from the target of the first.
      if (!(typeof ms === 'number' && ms >= 0 && time.target + ms <= LAST_TIME))
        throw toAdvanceError(`expected milliseconds of 0 or more, up to the year 275760, got ${showValue(ms, 40)}.`)
      time.target += ms
      const { target } = time
      await runMicrotasks()
      while (time === stopped) {
        const next = takeNext(target)
        time.now = Math.max(time.now, next?.due ?? target)
        if (next === undefined) return
        next.wake()
        await runMicrotasks()
      }
    },
    sleep,
  }

  /** The delay with the earliest end, if it is due by then. With equal ends, the one that began first. */
  function takeNext(time: number): Sleeper | undefined {
    return [...sleepers].filter(({ due }) => due <= time).sort((a, b) => a.due - b.due)[0]
  }

  return clock
}

/** The woken requests proceed as far as they can. */
function runMicrotasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** The last time that a `Date` can hold, in milliseconds since 1970. */
const LAST_TIME = 8_640_000_000_000_000

function toAdvanceError(reason: string): MockError {
  return new MockError('INVALID_OPTION', `Failed to advance the clock: ${reason}`)
}
