import { WebSocketInterceptor } from '@mswjs/interceptors/WebSocket'
import { type AnsweringService, createServiceHandlers } from '../../msw/service-handlers.ts'
import { assertWorkerVersion } from './assert-worker-version.ts'
import { createEventStreams, endBeforeNewer } from './event-streams.ts'
import { registerWorker } from './register-worker.ts'
import { startMsw } from './start-msw.ts'
import { waitForControl } from './wait-for-control.ts'
import { withoutStreams } from './without-streams.ts'
import { createWorkerError } from './worker-error.ts'
import type { ParsedWorkerOptions } from './worker-options.ts'
import type { WorkerScript } from './worker-script.ts'

/**
 * The steps of a start, under one deadline; gives back what stops it. A start that fails leaves the page as it was.
 * It is loaded when the surroundings are known to be a page, since Node cannot load `msw/browser`.
 * @throws {MockError} `WORKER_START`
 */
export async function answerInWorker(
  service: AnsweringService,
  options: ParsedWorkerOptions & WorkerScript,
): Promise<() => Promise<void>> {
  assertNoOtherMsw()
  const container = navigator.serviceWorker
  const deadline = AbortSignal.timeout(options.timeout)
  const { registration, worker, isNew, withdraw } = await registerWorker({ ...options, container, deadline })
  const streams = createEventStreams(service.fetch)
  const letGo = endBeforeNewer(registration, streams)
  const control = { ...options, container, registration, worker, deadline }
  try {
    await assertWorkerVersion(control)
    // What is left, a worker of an earlier visit without control, is a page that a hard reload brought past it.
    if (isNew || container.controller !== null) await waitForControl(control)
    const giveBack = await startMsw(
      createServiceHandlers({ ...service, fetch: withoutStreams(streams.fetch) }),
      control,
    )
    return () => giveBack().finally(letGo)
  } catch (error) {
    letGo()
    await withdraw()
    throw error
  }
}

/**
 * msw has one worker to a page. A second set-up takes it from the first, and only then fails, since WebSocket, which
 * msw replaces while it is on, can be replaced but once. So that is tried beforehand.
 * @throws {MockError} `WORKER_START` where msw answers the page already, with a set-up of the user's own.
 */
export function assertNoOtherMsw(): void {
  const trial = new WebSocketInterceptor()
  try {
    trial.apply()
  } catch (cause) {
    throw createWorkerError(
      "msw answers this page already. Stop it first, or give it the mock's handlers instead: setupWorker(...createServiceHandlers(mock)), from petstore-mock/msw.",
      cause,
    )
  } finally {
    trial.dispose()
  }
}
