import type { Msw } from './load-msw.ts'
import { type ControlOptions, waitFor } from './wait-for.ts'
import { createWorkerError } from './worker-error.ts'

type Asked = Pick<ControlOptions, 'container' | 'worker'>

/**
 * Asks the worker for its version, like msw itself. msw, however, waits for ever if the worker is not its own, and only
 * warns about another version. A script of another major version does not understand the page that stops it. With the same
 * major version, only msw's warning appears.
 * @throws {MockError} `WORKER_START`
 */
export async function assertWorkerVersion({ setupWorker }: Msw, control: ControlOptions): Promise<void> {
  const { scriptURL } = control.worker
  // msw exports no version; msw 2 has no `readyState`.
  const installed = 'readyState' in setupWorker() ? '3' : '2'
  const version = await waitFor(askVersion(control), control.deadline, () =>
    createWorkerError(
      `the script ${scriptURL} did not answer as msw's worker does. If it is another service worker, run \`npx petstore-mock init public/\` and set workerUrl to the file it writes.`,
    ),
  )
  if (version?.split('.')[0] === installed) return
  throw createWorkerError(
    `the script ${scriptURL} is of msw ${version ?? '1'}, and this page has msw ${installed}. Run \`npx petstore-mock init public/\` again, which overwrites it.`,
  )
}

/** `undefined` for msw 1, which does not report its version. */
export function askVersion({ container, worker }: Asked): Promise<string | undefined> {
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
