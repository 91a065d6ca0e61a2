import type { Mock } from '../../../service/mock.ts'
import { toService } from '../../../service/mock-service.ts'
import { startAgain } from '../start-again.ts'
import { connectState, type PersistenceOptions } from './connect-state.ts'
import { toDatabaseName } from './state-database.ts'

/** A mock whose state is stored in IndexedDB, and shared with the origin's other pages. */
export interface Persistence {
  /** The mock's `fetch`: it answers out of what all pages have stored, and when what it changed is stored. */
  fetch(request: Request): Promise<Response>
  /** Starts all sandboxes again from the mock's seed, in all pages, and drops what was set aside. */
  forget(): Promise<void>
  /** Ends it when everything is stored. The state stays, here and there. */
  close(): Promise<void>
}

/**
 * Takes up what is stored under a name, or stores the mock's present state, and stores all changes from now on. Where
 * that cannot be done, `onWarning` is told why, and the mock goes on in memory.
 */
export async function openPersistence(mock: Mock, options: PersistenceOptions): Promise<Persistence> {
  const { sandboxes } = toService(mock)
  // For pages that ask for nothing; before it answers a request, a page looks for itself.
  const channel = new BroadcastChannel(toDatabaseName(options.name))
  const state = connectState(sandboxes, { ...options, onStored: () => channel.postMessage('stored') })
  const unsubscribe = mock.onChange(state.note)
  channel.onmessage = () => void state.pull()
  await state.settle()
  return {
    async fetch(request) {
      await state.pull()
      const answer = await mock.fetch(request)
      await state.settle()
      return answer
    },
    async forget() {
      // Also sandboxes that this page has not seen yet.
      await state.pull()
      startAgain(sandboxes)
      await state.dropAside()
    },
    async close() {
      unsubscribe()
      await state.close()
      channel.close()
    },
  }
}
