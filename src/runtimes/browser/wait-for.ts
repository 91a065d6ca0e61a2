import { createWorkerError } from './worker-error.ts'

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

export interface ControlOptions {
  readonly container: ServiceWorkerContainer
  readonly worker: ServiceWorker
  readonly scope: string
  readonly deadline: AbortSignal
}

/** Waits until the page's requests go through the worker. @throws {MockError} `WORKER_START` */
export async function waitForControl({ container, worker, scope, deadline }: ControlOptions): Promise<void> {
  // The worker with the longest matching scope controls the page.
  const winner = await container.getRegistration()
  if (winner !== undefined && winner.scope !== scope) {
    throw createWorkerError(
      `the page is in the scope ${winner.scope} of another worker, ${winner.active?.scriptURL}. Put msw's script into that folder, or stop the site from registering the other worker.`,
    )
  }
  await waitFor(
    waitUntil(container, 'controllerchange', () => container.controller === worker),
    deadline,
    () => createWorkerError(`the worker ${worker.scriptURL} did not take over the page in time. Reload the page.`),
  )
}
