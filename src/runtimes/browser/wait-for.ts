/**
 * Waits for a step, but not beyond the deadline: then `toError` says what did not come. A deadline is made with
 * `AbortSignal.timeout`, which a test runner's fake timers leave alone.
 */
export function waitFor<T>(step: Promise<T>, deadline: AbortSignal, toError: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(toError())
    if (deadline.aborted) giveUp()
    deadline.addEventListener('abort', giveUp, { once: true })
    step.then(resolve, reject).finally(() => deadline.removeEventListener('abort', giveUp))
  })
}

/** Resolves when `isReached` says so, which it is asked now and after each event of the name. */
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
