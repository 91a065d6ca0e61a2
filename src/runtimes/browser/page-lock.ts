import { createWorkerError } from './worker-error.ts'

/** The right of one start to the page. */
export interface PageTicket {
  /** Does `work`, and gives the page free after it; a start that comes meanwhile waits. Further calls wait with it. */
  leave(work: () => Promise<void>): Promise<void>
}

interface Occupant {
  leaving?: Promise<void>
}

// That a page is taken is a fact about the page, so the mark lies on the page's document and not in a variable of this
// module: a second copy of the package in the same page sees it, and it goes when the page goes. A Web Lock would be
// shared with the origin's other pages, each of which may have a mock of its own.
const OCCUPANT = Symbol.for('petstore-mock.worker')

/** @throws {MockError} `WORKER_START` while another start has the page. */
export async function enterPage(document: object): Promise<PageTicket> {
  const page: { [OCCUPANT]?: Occupant | undefined } = document
  // After one that was on its way out somebody else may have been faster.
  while (page[OCCUPANT]?.leaving !== undefined) await page[OCCUPANT].leaving
  if (page[OCCUPANT] !== undefined) {
    throw createWorkerError(
      'a worker answers this page already, and goes on doing so. Await its stop() first (under hot reloading in import.meta.hot.dispose), or use its mock.',
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
