import { createWorkerError } from './worker-error.ts'

/** The exclusive right of one start to answer the page. */
interface PageLock {
  /** Runs `work`, then unlocks the page. Starts and further calls made meanwhile wait. */
  release(work: () => Promise<void>): Promise<void>
}

interface Occupant {
  releasing?: Promise<void>
}

// The lock is a property of the page's document instead of a variable of this module, so that a second copy of the package
// in the same page sees it, and that it ends with the page. A Web Lock would be shared with other pages of the origin,
// each of which may have its own mock.
const OCCUPANT = Symbol.for('petstore-mock.worker')

/** @throws {MockError} `WORKER_START` while another start holds the lock. */
export async function lockPage(document: object): Promise<PageLock> {
  const page: { [OCCUPANT]?: Occupant | undefined } = document
  // Another start may have locked the page while this one waited.
  while (page[OCCUPANT]?.releasing !== undefined) await page[OCCUPANT].releasing
  if (page[OCCUPANT] !== undefined) {
    throw createWorkerError(
      'a worker already answers this page, and keeps running. Await its stop() first (under hot reloading in import.meta.hot.dispose), or use its mock.',
    )
  }
  const occupant: Occupant = {}
  page[OCCUPANT] = occupant
  return {
    release(work) {
      occupant.releasing ??= work().finally(() => {
        page[OCCUPANT] = undefined
      })
      return occupant.releasing
    },
  }
}
