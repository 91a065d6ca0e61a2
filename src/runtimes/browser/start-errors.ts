// Why a worker cannot start, as far as that is known before it is tried. What a page needs at once is small.

import { MockError } from '../../http/mock-error.ts'

/** The parts of the environment that decide whether service workers are available. */
export interface Surroundings {
  readonly document?: object | undefined
  readonly location?: Pick<Location, 'href' | 'origin' | 'protocol'> | undefined
  readonly isSecureContext?: boolean | undefined
  /** `null`, as text, in a frame with the sandbox attribute. */
  readonly origin?: string | undefined
  readonly navigator?: { readonly serviceWorker?: object | undefined } | undefined
}

const NODE_ADVICE = 'In Node, answer requests with interceptRequests from petstore-mock/node.'

export const PAGE_ADVICE: string = "answer inside the page: startWorker(mock, { mode: 'page' })."

export const INIT_ADVICE =
  'Run `npx petstore-mock init public/` with the folder that your site serves as its root, or set workerUrl to where the script lies.'

/** The error of a failed start. `reason` ends with what to do. */
export function createWorkerError(reason: string, cause?: unknown): MockError {
  return new MockError('WORKER_START', `Failed to start the worker: ${reason}`, { cause })
}

export function createOccupiedError(cause: unknown): MockError {
  const advice = "give it the mock's handlers instead: setupWorker(...createHandlers(mock)), from petstore-mock/msw."
  return createWorkerError(`msw answers this page already. Stop it first, or ${advice}`, cause)
}

/** @throws {MockError} `WORKER_START` outside a page. */
export function assertPage({ document, location }: Surroundings = globalThis): void {
  if (document !== undefined && location !== undefined) return
  throw createWorkerError(`this is not a page in a browser. ${NODE_ADVICE}`)
}

/** @throws {MockError} `WORKER_START` with the reason, if service workers are not available. */
export function assertServiceWorkers({
  location,
  isSecureContext,
  navigator,
  origin,
}: Surroundings = globalThis): void {
  if (location?.protocol === 'file:') {
    throw createWorkerError(
      `the page ${location.href} was opened from a file, and service workers need a web server. Serve the folder, for instance with \`npx vite\`, and open it at http://localhost.`,
    )
  }
  // A frame is only secure if all pages around it are: https://w3c.github.io/webappsec-secure-contexts/.
  if (isSecureContext === false) {
    throw createWorkerError(
      `the page at ${location?.origin} is not secure, or a page around it is not, and browsers give service workers to secure pages only. Open it at http://localhost or over https, or ${PAGE_ADVICE}`,
    )
  }
  // Firefox has the container there, and refuses to register a worker.
  if (origin !== 'null' && hasServiceWorkers(navigator)) return
  throw createWorkerError(
    `there are no service workers here. A private window can be the reason, a frame with the sandbox attribute, or a DOM without a browser, such as jsdom. In a browser, ${PAGE_ADVICE} ${NODE_ADVICE}`,
  )
}

/** In a sandboxed frame, browsers throw when the service worker container is accessed. */
function hasServiceWorkers(navigator: Surroundings['navigator']): boolean {
  try {
    return navigator?.serviceWorker !== undefined
  } catch {
    return false
  }
}
