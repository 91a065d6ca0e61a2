import type { RequestHandler } from 'msw'
import { setupWorker } from 'msw/browser'
import { createProbe } from './probe.ts'
import { toFrameRule } from './to-frame-rule.ts'
import { waitFor } from './wait-for.ts'
import { type ControlOptions, waitForControl } from './wait-for-control.ts'
import { createWorkerError } from './worker-error.ts'
import type { ParsedWorkerOptions } from './worker-options.ts'
import type { WorkerScript } from './worker-script.ts'

/**
 * Turns msw on, and gives back what turns it off. In a page that a hard reload brought past its worker msw reloads the
 * page.
 * @throws {MockError} `WORKER_START`
 */
export async function startMsw(
  handlers: readonly RequestHandler[],
  { scriptUrl, scope, onUnhandledRequest, timeout, ...control }: ParsedWorkerOptions & WorkerScript & ControlOptions,
): Promise<() => Promise<void>> {
  const probe = createProbe(location.origin)
  const msw = setupWorker(probe.handler, ...handlers)
  const started = msw
    .start({
      serviceWorker: { url: scriptUrl, options: { scope } },
      quiet: true,
      onUnhandledFrame: toFrameRule(onUnhandledRequest),
    })
    .catch((cause: Error) => {
      throw createWorkerError(`msw says: ${cause.message} Reload the page.`, cause)
    })
  const stop = async (): Promise<void> => {
    const stopped = Promise.resolve(msw.stop())
    // The worker lets the page go first, and confirms when the requests under way are answered. One whose handler
    // never answers, or a worker that was taken out by hand, would hold the page up for ever.
    await waitFor(stopped, AbortSignal.timeout(timeout), () => new Error('not confirmed')).catch(() => {})
  }
  try {
    await waitFor(started, control.deadline, () => createWorkerError('msw did not start in time. Reload the page.'))
    await waitForControl({ ...control, scope })
    await probe.send(control.deadline)
    return stop
  } catch (error) {
    // It may not have come so far that it can be stopped.
    stop().catch(() => {})
    throw error
  }
}
