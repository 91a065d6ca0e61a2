import { waitFor, waitUntil } from './wait-for.ts'
import { createWorkerError } from './worker-error.ts'

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
