import { WebSocketInterceptor } from '@mswjs/interceptors/WebSocket'
import { createWorkerError } from './worker-error.ts'

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
      "msw answers this page already. Stop it first, or give it the mock's handlers instead: setupWorker(...createHandlers(mock)), from petstore-mock/msw.",
      cause,
    )
  } finally {
    trial.dispose()
  }
}
