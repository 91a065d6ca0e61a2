import { MockError } from '../../http/mock-error.ts'

export const START_FAILURE = 'Failed to start the worker'

export const NODE_ADVICE: string = 'In Node, answer requests with interceptRequests from petstore-mock/node.'

/** The error of a failed start. `reason` ends with what to do. */
export function createWorkerError(reason: string, cause?: unknown): MockError {
  return new MockError('WORKER_START', `${START_FAILURE}: ${reason}`, { cause })
}

export function createOccupiedError(cause: unknown): MockError {
  const advice = "give it the mock's handlers instead: setupWorker(...createHandlers(mock)), from petstore-mock/msw."
  return createWorkerError(`msw answers this page already. Stop it first, or ${advice}`, cause)
}

/** @throws {MockError} `WORKER_START` outside a page. */
export function assertPage(page: Partial<Record<'document' | 'location', unknown>> = globalThis): void {
  if (page.document !== undefined && page.location !== undefined) return
  throw createWorkerError(`this is not a page in a browser. ${NODE_ADVICE}`)
}
