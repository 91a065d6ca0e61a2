import { createWorkerError } from './worker-error.ts'

/** The exclusive right of one start to answer the page. */
export interface PageTicket {
  /** Runs `work`, then unlocks the page. Starts and further calls made meanwhile wait. */
  leave(work: () => Promise<void>): Promise<void>
}

interface Occupant {
  leaving?: Promise<void>
}

// The lock is a property of the page's document instead of a variable of this module, so that a second copy of the package
// in the same page sees it, and that it ends with the page. A Web Lock would be shared with other pages of the origin,
// each of which may have its own mock.
const OCCUPANT = Symbol.for('petstore-mock.worker')

/** @throws {MockError} `WORKER_START` while another start holds the page. */
export async function enterPage(document: object): Promise<PageTicket> {
  const page: { [OCCUPANT]?: Occupant | undefined } = document
  // Another start may have locked the page while this one waited.
  while (page[OCCUPANT]?.leaving !== undefined) await page[OCCUPANT].leaving
  if (page[OCCUPANT] !== undefined) {
    throw createWorkerError(
      'a worker already answers this page, and keeps running. Await its stop() first (under hot reloading in import.meta.hot.dispose), or use its mock.',
    )
  }
  const occupant: Occupant = {}
  page[OCCUPANT] = occupant
  return {
    leave(work) {
      occupant.leaving ??= work().finally(() => {
        page[OCCUPANT] = undefined
      })
      return occupant.leaving
    },
  }
}
