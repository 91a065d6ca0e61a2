import { type Control, type ServiceRequest, sendToService, toSentence } from '../api/control.ts'
import type { Exchange } from '../api/model.ts'
import { toApiKey } from '../api/sandbox-key.ts'
import { type ActionParts, run } from './action-parts.ts'
import { PAGE } from './journal.ts'
import { toReplay } from './reuse-request.ts'

export type RequestActions = ReturnType<typeof createRequestActions>

/** The journal, and requests to the service. */
export function createRequestActions(parts: ActionParts) {
  const { store, getControl, refreshRequests } = parts

  /** Sends a request with the current key; returns the result as a sentence. */
  async function send(request: ServiceRequest, done = 'Response'): Promise<string> {
    const start = performance.now()
    try {
      const response = await sendWithKey(parts, request)
      await response.text()
      return `${done}: ${response.status} after ${Math.round(performance.now() - start)} ms`
    } catch (error) {
      return `Not sent. ${toSentence(error)}`
    }
  }

  return {
    find(text: string) {
      store.set({ find: text, listLength: PAGE })
      refreshRequests()
    },
    showOlder() {
      store.set({ listLength: store.state.listLength + PAGE })
      refreshRequests()
    },
    setPaused(isPaused: boolean) {
      store.set({ isPaused })
      refreshRequests()
    },
    clearJournal: () =>
      run(parts, async () => {
        await getControl().ask('DELETE /journal')
        store.set({ opened: undefined })
        return 'Journal cleared'
      }),
    /** Shows the details of a request, or of none. */
    openRequest: (opened: number | undefined) => store.set({ opened }),
    readExchange: (id: number) => readExchange(getControl(), id),
    /** All exchanges of the journal with their bodies, oldest first. */
    async readJournal() {
      let entries: readonly Exchange[] | undefined
      await run(parts, async () => {
        entries = (await getControl().ask('GET /journal')).entries
        return undefined
      })
      return entries
    },
    send,
    replay: (exchange: Exchange) => send(toReplay(exchange), 'Sent again'),
  }
}

/** Reads an exchange with its bodies; `undefined` if it was dropped. */
export async function readExchange({ ask }: Pick<Control, 'ask'>, id: number): Promise<Exchange | undefined> {
  const query = { after: String(id - 1), before: String(id + 1) }
  const { entries } = await ask('GET /journal', { query }).catch(() => ({ entries: [] }))
  return entries[0]
}

/** Calls the service with the key of the current sandbox, and notes whether the key was refused. */
export async function sendWithKey(
  { store, addresses }: Pick<ActionParts, 'store' | 'addresses'>,
  request: ServiceRequest,
): Promise<Response> {
  const { apiKey } = store.state
  const response = await sendToService(request, { addresses, apiKey: toApiKey(store.state) })
  if (store.state.apiKey === apiKey) store.set({ isKeyRefused: response.status === 401 })
  return response
}
