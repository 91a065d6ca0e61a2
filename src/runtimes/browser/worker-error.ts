import { MockError } from '../../http/mock-error.ts'

/** The error of a failed start. `reason` ends with what to do. */
export function createWorkerError(reason: string, cause?: unknown): MockError {
  return new MockError('WORKER_START', `Failed to start the worker: ${reason}`, { cause })
}

export function createOccupiedError(cause: unknown): MockError {
  const advice = "give it the mock's handlers instead: setupWorker(...createHandlers(mock)), from petstore-mock/msw."
  return createWorkerError(`msw answers this page already. Stop it first, or ${advice}`, cause)
}

/** How to install msw's script where the page looks for it. */
export const INIT_ADVICE =
  'Run `npx petstore-mock init public/` with the folder that your site serves as its root, or set workerUrl to where the script lies.'
