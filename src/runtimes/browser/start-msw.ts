import { isCommonAssetRequest, type RequestHandler } from 'msw'
import { setupWorker } from 'msw/browser'
import { type DefineNetworkOptions, HttpNetworkFrame } from 'msw/experimental'
import type { UnhandledRequest } from '../shared/unhandled-request.ts'
import { createProbe } from './probe.ts'
import { waitFor } from './wait-for.ts'
import { type ControlOptions, waitForControl } from './wait-for-control.ts'
import { createWorkerError } from './worker-error.ts'
import type { ParsedWorkerOptions } from './worker-options.ts'
import type { WorkerScript } from './worker-script.ts'

type MswSettings = ParsedWorkerOptions &
  WorkerScript &
  ControlOptions & { readonly registration: ServiceWorkerRegistration }

/**
 * Turns msw on, and gives back what turns it off. In a page that a hard reload brought past its worker msw reloads the
 * page.
 * @throws {MockError} `WORKER_START`
 */
export async function startMsw(
  handlers: readonly RequestHandler[],
  { scriptUrl, scope, onUnhandledRequest, timeout, registration, ...control }: MswSettings,
): Promise<() => Promise<void>> {
  const probe = createProbe(location.origin)
  const msw = setupWorker(probe.handler, ...handlers)
  const allowUpdate = forbidUpdate(registration)
  const started = msw
    .start({
      serviceWorker: { url: scriptUrl, options: { scope } },
      quiet: true,
      onUnhandledFrame: toFrameRule(onUnhandledRequest),
    })
    .catch((cause: Error) => {
      throw createWorkerError(`msw says: ${cause.message} Reload the page.`, cause)
    })
    .finally(allowUpdate)
  const stop = async (): Promise<void> => {
    const stopped = Promise.resolve(msw.stop())
    // The worker lets the page go first, and confirms when the requests under way are answered. One whose handler
    // never answers, or a worker that was taken out by hand, would hold the page up for ever.
    await waitFor(stopped, AbortSignal.timeout(timeout), () => new Error('not confirmed')).catch(() => {})
  }
  try {
    const taken = await waitFor(started, control.deadline, () =>
      createWorkerError('msw did not start in time. Reload the page.'),
    )
    // msw registers anew where the page had a set-up of other options before: its worker is then another one.
    const worker = taken?.installing ?? taken?.waiting ?? taken?.active ?? control.worker
    await waitForControl({ ...control, worker, scope })
    await probe.send(control.deadline)
    return stop
  } catch (error) {
    // It may not have come so far that it can be stopped.
    stop().catch(() => {})
    throw error
  }
}

/**
 * The newest script is in place already. msw looks once more, and leaves it unhandled where that fails: without a
 * network, and in Firefox where the worker has stopped meanwhile. Gives back what allows it again.
 */
function forbidUpdate(registration: ServiceWorkerRegistration): () => void {
  Object.defineProperty(registration, 'update', { configurable: true, value: async () => registration })
  return () => void Reflect.deleteProperty(registration, 'update')
}

export type FrameRule = NonNullable<DefineNetworkOptions<[]>['onUnhandledFrame']>

/**
 * msw's own rules of these names would also fail the page's WebSockets, a dev server's among them, and answer a failed
 * request with a 500 that holds a stack. A thrown `Response.error()` is a request that finds no network.
 */
export function toFrameRule(rule: UnhandledRequest): FrameRule {
  if (rule === 'bypass') return rule
  return ({ frame, defaults }) => {
    if (!(frame instanceof HttpNetworkFrame) || isCommonAssetRequest(frame.data.request)) return
    defaults[rule]()
    if (rule === 'error') throw Response.error()
  }
}
