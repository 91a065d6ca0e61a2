import { INTERRUPTED, type Io } from './io.ts'

/** The signals of a process. */
export interface Signals extends Pick<Io, 'stop' | 'hold' | 'takeSignals'> {
  /** Whether a listener ever took them. */
  readonly wereTaken: boolean
}

/**
 * Listens to the signals that end a program. The first asks for an orderly end, the second waits for nothing but what
 * is held, and the third for nothing.
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
  // Windows sends SIGHUP when the window is closed, and ends the process ten seconds later itself.
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
