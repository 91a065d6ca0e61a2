import type { RequestHandler } from 'msw'
import type { BaseUrls } from '../../http/base-url.ts'
import { createUnhandledRule } from '../shared/unhandled-request.ts'
import { askVersion } from './assert-worker-version.ts'
import type { Msw } from './load-msw.ts'
import { type ControlOptions, waitFor, waitForControl } from './wait-for.ts'
import { createWorkerError } from './worker-error.ts'
import type { ParsedWorkerOptions, WorkerScript } from './worker-options.ts'

type MswSettings = ParsedWorkerOptions &
  WorkerScript &
  ControlOptions & { readonly bases: BaseUrls; readonly registration: ServiceWorkerRegistration; readonly msw: Msw }

/** The option of msw 3, and that of msw 2. */
const BYPASS = { onUnhandledFrame: 'bypass', onUnhandledRequest: 'bypass' } as const

/**
 * Starts msw and returns a function that stops it. If a hard reload bypassed the worker, msw reloads the page.
 * @throws {MockError} `WORKER_START`
 */
export async function startMsw(
  handler: RequestHandler,
  { bases, scriptUrl, scope, onUnhandledRequest, timeout, registration, msw, ...control }: MswSettings,
): Promise<() => Promise<void>> {
  const probe = createProbe(location.origin, msw)
  const explain = createUnhandledRule(onUnhandledRequest, bases)
  // msw's own strategies also fail the page's WebSockets, including a dev server's, and have another name in msw 2.
  const unhandled = msw.http.all(
    () => true,
    ({ request }) => explain(request) && Response.error(),
  )
  const worker = msw.setupWorker(probe.handler, handler, unhandled)
  let active = control.worker
  const allowUpdate = forbidUpdate(registration)
  const started = worker
    .start({
      serviceWorker: { url: scriptUrl, options: { scope } },
      quiet: true,
      ...BYPASS,
    })
    .catch((cause: Error) => {
      throw createWorkerError(`msw says: ${cause.message} Reload the page.`, cause)
    })
    .finally(allowUpdate)
  const stop = async (): Promise<void> => {
    // The worker first releases the page and confirms once the requests in flight are answered; that of msw 2 does not
    // confirm, so it is asked something else. A handler that never responds, or a worker that was unregistered by hand,
    // must not block the page for ever.
    const stopped: Promise<unknown> = worker.stop() ?? askVersion({ ...control, worker: active })
    await waitFor(stopped, AbortSignal.timeout(timeout), () => new Error('not confirmed')).catch(() => {})
  }
  try {
    const taken = await waitFor(started, control.deadline, () =>
      createWorkerError('msw did not start in time. Reload the page.'),
    )
    // msw registers a different worker if the page had a setup with other options before.
    active = taken?.installing ?? taken?.waiting ?? taken?.active ?? active
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

/** A request that only the worker of this start can answer. */
interface Probe {
  readonly handler: RequestHandler
  /** @throws {MockError} `WORKER_START` if the request bypassed the worker. */
  send(deadline: AbortSignal): Promise<void>
}

/** On the page's own origin, which the mock itself may not cover, and with an unguessable path. */
function createProbe(origin: string, { http }: Msw): Probe {
  const token = crypto.randomUUID()
  const url = `${origin}/_mock/worker/${token}`
  return {
    handler: http.get(
      ({ request }) => request.url === url,
      () => new Response(token, { headers: { 'cache-control': 'no-store' } }),
    ),
    async send(signal) {
      const text = await fetch(url, { signal })
        .then((answer) => answer.text())
        .catch(throwUnanswered)
      if (text !== token) throwUnanswered()
    },
  }
}

function throwUnanswered(cause?: unknown): never {
  throw createWorkerError(
    "the worker runs, but a request of this page did not come back from it. Take the workers of this site out in the browser's developer tools, and reload the page.",
    cause,
  )
}
