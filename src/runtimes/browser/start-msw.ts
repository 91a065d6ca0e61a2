import type { RequestHandler } from 'msw'
import type { DefineNetworkOptions } from 'msw/experimental'
import { explainUnhandled, type UnhandledRequest } from '../shared/unhandled-request.ts'
import type { Msw } from './load-msw.ts'
import { createProbe } from './probe.ts'
import { waitFor } from './wait-for.ts'
import { type ControlOptions, waitForControl } from './wait-for-control.ts'
import { createWorkerError } from './worker-error.ts'
import type { ParsedWorkerOptions } from './worker-options.ts'
import type { WorkerScript } from './worker-script.ts'

type MswSettings = ParsedWorkerOptions &
  WorkerScript &
  ControlOptions & { readonly registration: ServiceWorkerRegistration; readonly msw: Msw }

/**
 * Starts msw and returns a function that stops it. If a hard reload bypassed the worker, msw reloads the page.
 * @throws {MockError} `WORKER_START`
 */
export async function startMsw(
  handler: RequestHandler,
  { scriptUrl, scope, onUnhandledRequest, timeout, registration, msw, ...control }: MswSettings,
): Promise<() => Promise<void>> {
  const probe = createProbe(location.origin, msw)
  const worker = msw.setupWorker(probe.handler, handler)
  const allowUpdate = forbidUpdate(registration)
  const started = worker
    .start({
      serviceWorker: { url: scriptUrl, options: { scope } },
      quiet: true,
      onUnhandledFrame: toFrameRule(onUnhandledRequest, msw),
    })
    .catch((cause: Error) => {
      throw createWorkerError(`msw says: ${cause.message} Reload the page.`, cause)
    })
    .finally(allowUpdate)
  const stop = async (): Promise<void> => {
    const stopped = Promise.resolve(worker.stop())
    // The worker first releases the page and confirms once the requests in flight are answered. A handler that never
    // responds, or a worker that was unregistered by hand, must not block the page for ever.
    await waitFor(stopped, AbortSignal.timeout(timeout), () => new Error('not confirmed')).catch(() => {})
  }
  try {
    const taken = await waitFor(started, control.deadline, () =>
      createWorkerError('msw did not start in time. Reload the page.'),
    )
    // msw registers a different worker if the page had a setup with other options before.
    const active = taken?.installing ?? taken?.waiting ?? taken?.active ?? control.worker
    await waitForControl({ ...control, worker: active, scope })
    await probe.send(control.deadline)
    return stop
  } catch (error) {
    // msw may not be far enough into its start to be stopped.
    stop().catch(() => {})
    throw error
  }
}

/**
 * Disables msw's own update check, because the newest script is already active. msw leaves a failure unhandled, which
 * happens without a network, and in Firefox if the worker has stopped. Returns a function that restores the check.
 */
function forbidUpdate(registration: ServiceWorkerRegistration): () => void {
  Object.defineProperty(registration, 'update', { configurable: true, value: async () => registration })
  return () => void Reflect.deleteProperty(registration, 'update')
}

type FrameRule = NonNullable<DefineNetworkOptions<[]>['onUnhandledFrame']>

/**
 * msw's own strategies of these names also fail the page's WebSockets, including a dev server's, answer a failed request
 * with a 500 that contains a stack, and advise a request handler. Throwing `Response.error()` makes it a network error.
 */
function toFrameRule(rule: UnhandledRequest, { HttpNetworkFrame }: Msw): FrameRule {
  if (rule === 'bypass') return rule
  return ({ frame }) => {
    if (!(frame instanceof HttpNetworkFrame)) return
    if (explainUnhandled(frame.data.request, rule) !== undefined) throw Response.error()
  }
}
