import type { http } from 'msw'
import type { setupWorker } from 'msw/browser'
import { createWorkerError } from './worker-error.ts'

/** What worker mode uses of msw. */
export interface Msw {
  readonly http: typeof http
  readonly setupWorker: typeof setupWorker
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
    return { http, setupWorker }
  } catch (cause) {
    throw createWorkerError(
      "msw cannot be loaded. Install it (npm install --save-dev msw), or use mode: 'page', which does not need it.",
      cause,
    )
  }
}
