import { INTERRUPTED, type Io } from './io.ts'

/**
 * Listens to the signals that end a program. The first asks for an orderly end, the second waits for nothing but what
 * is held, and the third for nothing.
 */
export function listenToSignals(): Pick<Io, 'stop' | 'hold'> {
  const stop = new AbortController()
  let held: Promise<unknown> = Promise.resolve()
  let count = 0
  const end = (): void => {
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
  }
}
