/**
 * Waits for a step until the deadline, then rejects with `toError`. The deadline is an `AbortSignal.timeout`, which a test
 * runner's fake timers do not affect.
 */
export function waitFor<T>(step: Promise<T>, deadline: AbortSignal, toError: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(toError())
    if (deadline.aborted) giveUp()
    deadline.addEventListener('abort', giveUp, { once: true })
    step.then(resolve, reject).finally(() => deadline.removeEventListener('abort', giveUp))
  })
}

/** Resolves when `isReached` returns true. Checks now and after each event of that name. */
export function waitUntil(target: EventTarget, event: string, isReached: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (!isReached()) return
      target.removeEventListener(event, check)
      resolve()
    }
    target.addEventListener(event, check)
    check()
  })
}
