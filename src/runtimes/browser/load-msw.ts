import type { http } from 'msw'
import type { setupWorker } from 'msw/browser'
import type { HttpNetworkFrame } from 'msw/experimental'
import { createWorkerError } from './worker-error.ts'

/** What worker mode uses of msw. */
export interface Msw {
  readonly http: typeof http
  readonly setupWorker: typeof setupWorker
  readonly HttpNetworkFrame: typeof HttpNetworkFrame
}

/**
 * Loads msw, which is an optional peer dependency. Bundlers build a page without msw only if it is imported like this: by
 * `import()` in a `try` block.
 * @throws {MockError} `WORKER_START`
 */
export async function loadMsw(): Promise<Msw> {
  try {
    const { http } = await import('msw')
    const { setupWorker } = await import('msw/browser')
    const { HttpNetworkFrame } = await import('msw/experimental')
    return { http, setupWorker, HttpNetworkFrame }
  } catch (cause) {
    throw createWorkerError(
      "msw cannot be loaded. Install it (npm install --save-dev msw), or use mode: 'page', which does not need it.",
      cause,
    )
  }
}
