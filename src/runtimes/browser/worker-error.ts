import { MockError } from '../../http/mock-error.ts'

/** The error of a failed start. `reason` ends with what to do. */
export function createWorkerError(reason: string, cause?: unknown): MockError {
  return new MockError('WORKER_START', `Failed to start the worker: ${reason}`, { cause })
}

/** How to install msw's script where the page looks for it. */
export const INIT_ADVICE =
  'Run `npx petstore-mock init public/` with the folder that your site serves as its root, or set workerUrl to where the script lies.'
