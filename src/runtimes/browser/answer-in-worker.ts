import { WebSocketInterceptor } from '@mswjs/interceptors/WebSocket'
import { type AnsweringService, createServiceHandler } from '../../msw/service-handlers.ts'
import { assertWorkerVersion } from './assert-worker-version.ts'
import { createEventStreams, endBeforeNewer } from './event-streams.ts'
import { loadMsw } from './load-msw.ts'
import { registerWorker } from './register-worker.ts'
import { startMsw } from './start-msw.ts'
import { waitForControl } from './wait-for-control.ts'
import { withoutStreams } from './without-streams.ts'
import { createWorkerError } from './worker-error.ts'
import type { ParsedWorkerOptions } from './worker-options.ts'
import type { WorkerScript } from './worker-script.ts'

/**
 * Starts worker mode, with one deadline for all steps. Returns a function that stops it. A failed start leaves the page
 * unchanged. Loaded only once the environment is known to be a page, because Node cannot load `msw/browser`.
 * @throws {MockError} `WORKER_START`
 */
export async function answerInWorker(
  service: AnsweringService,
  options: ParsedWorkerOptions & WorkerScript,
): Promise<() => Promise<void>> {
  const msw = await loadMsw()
  assertNoOtherMsw()
  const container = navigator.serviceWorker
  const deadline = AbortSignal.timeout(options.timeout)
  const { registration, worker, isNew, withdraw } = await registerWorker({ ...options, container, deadline })
  const streams = createEventStreams(service.fetch)
  const letGo = endBeforeNewer(registration, streams)
  const control = { ...options, bases: service.bases, container, registration, worker, deadline, msw }
  try {
    await assertWorkerVersion(msw, control)
    // Otherwise a worker of an earlier visit does not control the page, because a hard reload bypassed it.
    if (isNew || container.controller !== null) await waitForControl(control)
    const stopAnswering = await startMsw(
      createServiceHandler({ ...service, fetch: withoutStreams(streams.fetch) }, msw.http),
      control,
    )
    return () => stopAnswering().finally(letGo)
  } catch (error) {
    letGo()
    await withdraw()
    throw error
  }
}

/**
 * msw has one worker per page. A second setup takes it over from the first and only then fails, because msw can patch
 * WebSocket only once. This tries that first, before anything is taken over.
 * @throws {MockError} `WORKER_START` if the user's own msw setup already answers the page.
 */
function assertNoOtherMsw(): void {
  const trial = new WebSocketInterceptor()
  try {
    // The interceptor in msw 2 is another copy. While it is applied, the page's global object refers to it.
    const marks = Object.getOwnPropertySymbols(globalThis).map(({ description }) => description)
    if (marks.some((mark) => mark === 'websocket' || mark === 'websocket-interceptor')) throw new Error('msw 2 runs.')
    trial.apply()
  } catch (cause) {
    throw createWorkerError(
      "msw answers this page already. Stop it first, or give it the mock's handlers instead: setupWorker(...createHandlers(mock)), from petstore-mock/msw.",
      cause,
    )
  } finally {
    trial.dispose()
  }
}
