import { waitFor } from './wait-for.ts'
import { createWorkerError } from './worker-error.ts'

// The worker script must have the same major version as the installed msw.
const MSW_MAJOR = '3'

interface WorkerVersionOptions {
  readonly container: ServiceWorkerContainer
  readonly worker: ServiceWorker
  readonly deadline: AbortSignal
}

/**
 * Asks the worker for its version, like msw itself. msw, however, waits for ever if the worker is not its own, and only
 * warns about another version, which may then fail to answer or to stop. With the same major version, only msw's warning
 * appears.
 * @throws {MockError} `WORKER_START`
 */
export async function assertWorkerVersion({ container, worker, deadline }: WorkerVersionOptions): Promise<void> {
  const { scriptURL } = worker
  const version = await waitFor(askVersion(container, worker), deadline, () =>
    createWorkerError(
      `the script ${scriptURL} did not answer as msw's worker does. If it is another service worker, run \`npx petstore-mock init public/\` and set workerUrl to the file it writes.`,
    ),
  )
  if (version?.split('.')[0] === MSW_MAJOR) return
  throw createWorkerError(
    `the script ${scriptURL} is of msw ${version ?? '1'}, and this page has msw ${MSW_MAJOR}. Run \`npx petstore-mock init public/\` again, which overwrites it.`,
  )
}

/** `undefined` for msw 1, which does not report its version. */
function askVersion(container: ServiceWorkerContainer, worker: ServiceWorker): Promise<string | undefined> {
  return new Promise((resolve) => {
    const listen = ({ source, data }: MessageEvent): void => {
      if (source !== worker || data?.type !== 'INTEGRITY_CHECK_RESPONSE') return
      container.removeEventListener('message', listen)
      resolve(data.payload?.packageVersion)
    }
    container.addEventListener('message', listen)
    worker.postMessage('INTEGRITY_CHECK_REQUEST')
  })
}
