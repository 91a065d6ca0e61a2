import type { QueryOf } from '../../control/contract.ts'
import { AnswerError, type Control, readMessage } from '../api/control.ts'
import { type JournalEntry, toApiKey } from '../api/model.ts'
import { type ActionParts, run, tell } from './action-parts.ts'
import type { ConsoleState, RequestList } from './console-state.ts'
import { BROKEN } from './faults.ts'
import { isKeyRefused, toOwnHeaders } from './reuse-request.ts'

/** How many requests the list shows first, and how many more each time. */
export const PAGE = 50

export const NO_REQUESTS: RequestList = {
  find: undefined,
  entries: [],
  count: 0,
  newer: 0,
  totals: [],
  dropped: 0,
}

/** What the console searches for, and its label, by the outcome of a request. */
export const OUTCOMES = [
  ['', 'all'],
  ['4xx', '4xx'],
  ['5xx', '5xx or none'],
] as const

/** The outcome that a search asks for. */
export function toOutcome(find: string): string {
  return /(?<!\S)[45]xx(?!\S)/i.exec(find)?.[0].toLowerCase() ?? ''
}

/** The same search for another outcome. */
export function toFind(find: string, outcome: string): string {
  return `${find.replaceAll(/(?<!\S)[45]xx(?!\S)\s*/gi, '').trim()} ${outcome}`.trim()
}

/** Whether the list of requests keeps its entries: one that is open stays where it is. */
export function isHeld({ isPaused, opened, requests }: ConsoleState): boolean {
  return isPaused || requests.entries.some(({ id }) => id === opened)
}

/** Searches the whole journal. While the list is held, counts what is newer instead of adding it. */
export async function loadRequests({ ask }: Pick<Control, 'ask'>, state: ConsoleState): Promise<RequestList> {
  const { find, listLength: length, requests: last } = state
  const load = (query: QueryOf<'GET /journal'>, limit = 1) =>
    ask('GET /journal', { query: { ...query, limit: String(limit), bodies: 'none' } })
  const query = toJournalQuery(find)
  const newest = isHeld(state) && last.find === find ? last.entries[0] : undefined
  const before = newest && { before: String(newest.id + 1) }
  // The entries that are shown stay, even if the journal has dropped them.
  const isKept = newest !== undefined && last.entries.length >= Math.min(length, last.count)
  const [page = last, newer, ...totals] = await Promise.all([
    isKept ? undefined : load({ ...query, ...before }, length),
    newest && load({ ...query, after: String(newest.id) }),
    ...OUTCOMES.map(([outcome]) => load(toJournalQuery(toFind(find, outcome)))),
  ])
  return {
    find,
    entries: page === last ? last.entries : page.entries.toReversed(),
    count: page.count,
    newer: newer?.count ?? 0,
    totals: totals.map(({ count }) => count),
    dropped: totals[0]?.dropped ?? 0,
  }
}

/** `pet:5 4xx` looks for the pet; the mock looks for all other words itself. */
export function toJournalQuery(find: string): QueryOf<'GET /journal'> {
  const [, petId] = /(?:^|\s)pet:(-?\d+)(?=\s|$)/.exec(find) ?? []
  const search = petId === undefined ? find.trim() : find.replace(`pet:${petId}`, '').trim()
  return { ...(petId !== undefined && { petId }), ...(search !== '' && { search }) }
}

/** Why a request was not answered as wished, as a phrase; `undefined` for a success. */
export function toReason(entry: JournalEntry): string | undefined {
  const { answer, fault } = entry
  if (answer === undefined)
    return fault?.error === undefined ? 'The client disconnected' : `Fault: ${BROKEN[fault.error]}`
  if (answer.status < 400) return undefined
  const message = readMessage(answer.body) ?? (fault === undefined ? undefined : `Response of fault ${fault.id}`)
  return [message ?? [], explainKey(entry) ?? []].flat().join(': ') || undefined
}

/** Why the mock refused the key. */
function explainKey(entry: JournalEntry): string | undefined {
  if (!isKeyRefused(entry)) return undefined
  const { authorization } = entry.request.headers
  if (authorization === undefined) return 'no Authorization header'
  return /^bearer /i.test(authorization) ? 'unknown key' : 'Authorization is not Bearer with a key'
}

/** The outcome of a request, among those that are searched. */
export function toOutcomeOf({ answer }: Pick<JournalEntry, 'answer'>): string {
  if (answer === undefined || answer.status >= 500) return '5xx'
  return answer.status >= 400 ? '4xx' : ''
}

/** The journal, and requests to the service. */
export function createRequestActions(parts: ActionParts) {
  const { store, getControl, refreshRequests } = parts

  /** Sends a request with the current key. */
  const send = (request: ServiceRequest, done = 'Response'): Promise<void> =>
    run(parts, async () => {
      tell(parts, 'Sending…')
      const start = performance.now()
      const response = await sendWithKey(parts, request)
      await response.text()
      return `${done}: ${response.status} after ${Math.round(performance.now() - start)} ms`
    })

  return {
    /** Searches the journal. Closes the request that is open, which would stand between its results. */
    find(text: string) {
      store.set({ find: text, listLength: PAGE, opened: undefined })
      refreshRequests()
    },
    /** Adds the newer requests to a list that is held. */
    showNewer() {
      store.set({ requests: { ...store.state.requests, find: undefined } })
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
        return 'Journal cleared'
      }),
    /** Shows the details of a request, or of none. */
    openRequest(opened: number | undefined) {
      store.set({ opened })
      refreshRequests()
    },
    /** Reads an entry with its bodies; `undefined` if it was dropped. */
    async readEntry(id: number): Promise<JournalEntry | undefined> {
      const query = { after: String(id - 1), before: String(id + 1) }
      const { entries } = await getControl()
        .ask('GET /journal', { query })
        .catch(() => ({ entries: [] }))
      return entries[0]
    },
    send,
    replay: (entry: JournalEntry) =>
      send(
        { ...entry.request, headers: toOwnHeaders(entry) },
        isKeyRefused(entry) ? "Sent again, with the console's key" : 'Sent again',
      ),
  }
}

/** How long the service may take, in milliseconds. */
const PATIENCE_MS = 10_000

/** A request to the service. The API key is added to it. */
export interface ServiceRequest extends Pick<RequestInit, 'method' | 'body' | 'signal'> {
  /** As the mock receives it: `/v1/inventory/7`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Calls the service like any client, with the key of the current sandbox, and notes whether the key was refused. */
export async function sendWithKey(
  { store, addresses }: Pick<ActionParts, 'store' | 'addresses'>,
  { path, headers, body, signal = AbortSignal.timeout(PATIENCE_MS), ...others }: ServiceRequest,
): Promise<Response> {
  const { apiKey } = store.state
  const key = toApiKey(store.state)
  if (!/^[!-~]+$/.test(key)) {
    throw new AnswerError('The API key is empty or contains characters that a header cannot contain')
  }
  const response = await addresses.fetch(addresses.toService(path), {
    ...others,
    headers: { ...headers, authorization: `Bearer ${key}` },
    ...(body !== '' && { body: body ?? null }),
    cache: 'no-store',
    credentials: 'omit',
    signal,
  })
  if (store.state.apiKey === apiKey) store.set({ isKeyRefused: response.status === 401 })
  return response
}
