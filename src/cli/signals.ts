import { INTERRUPTED, type Io } from './io.ts'

/** The stop signals of the process. */
export interface Signals extends Pick<Io, 'stop' | 'hold' | 'takeSignals'> {
  /** Whether `takeSignals` was ever called. */
  readonly wereTaken: boolean
}

/**
 * Listens to the signals that stop a program. The first starts a graceful shutdown, the second waits only for held work,
 * and the third exits at once.
 */
export function listenToSignals(): Signals {
  const stop = new AbortController()
  let held: Promise<unknown> = Promise.resolve()
  let count = 0
  let listener: ((signal: NodeJS.Signals) => void) | undefined
  let wereTaken = false
  const end = (signal: NodeJS.Signals): void => {
    if (listener !== undefined) {
      listener(signal)
      return
    }
    count += 1
    if (count === 1) stop.abort()
    if (count === 2) void held.finally(() => process.exit(INTERRUPTED))
    if (count > 2) process.exit(INTERRUPTED)
  }
  // Windows sends SIGHUP when the console window closes, and kills the process ten seconds later.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  return {
    stop: stop.signal,
    hold(work) {
      held = Promise.allSettled([held, work])
    },
    takeSignals(next) {
      listener = next
      wereTaken = true
      return () => {
        listener = undefined
      }
    },
    get wereTaken() {
      return wereTaken
    },
  }
}
