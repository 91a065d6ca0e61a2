import type { QueryOf } from '../../control/contract.ts'
import { type Control, readMessage } from '../api/control.ts'
import type { Exchange } from '../api/model.ts'
import { BROKEN } from './faults.ts'

/** How many requests the list shows first, and how many more each time. */
export const PAGE = 50

/** What the list of requests shows. */
export interface RequestList {
  /** The newest matching requests, newest first. Their bodies are empty, except those of errors. */
  readonly entries: readonly Exchange[]
  /** The number of all matching requests. */
  readonly count: number
  /** The number of requests in the whole journal, regardless of the search. */
  readonly totals: Readonly<Record<'all' | 'refused' | 'failed', number>>
  /** The number of older requests that the journal dropped. */
  readonly dropped: number
}

export const NO_REQUESTS: RequestList = { entries: [], count: 0, totals: { all: 0, refused: 0, failed: 0 }, dropped: 0 }

/** Searches the whole journal. */
export async function loadRequests(
  { ask }: Pick<Control, 'ask'>,
  { find, length }: { readonly find: string; readonly length: number },
): Promise<RequestList> {
  const load = (query: QueryOf<'GET /journal'>, limit: number) =>
    ask('GET /journal', { query: { ...query, limit: String(limit), bodies: 'none' } })
  const [page, all, refused, failed] = await Promise.all([
    load(toJournalQuery(find), length),
    load({}, 1),
    load({ search: '4xx' }, 1),
    load({ search: '5xx' }, 1),
  ])
  return {
    entries: page.entries.toReversed(),
    count: page.count,
    totals: { all: all.count, refused: refused.count, failed: failed.count },
    dropped: all.dropped,
  }
}

/** `pet:5 4xx` looks for the pet; the mock looks for all other words itself. */
export function toJournalQuery(find: string): QueryOf<'GET /journal'> {
  const [, petId] = /(?:^|\s)pet:(-?\d+)(?=\s|$)/.exec(find) ?? []
  const search = petId === undefined ? find.trim() : find.replace(`pet:${petId}`, '').trim()
  return { ...(petId !== undefined && { petId }), ...(search !== '' && { search }) }
}

/** Why a request was not answered as wished, as a phrase; `undefined` for a success. */
export function toReason({ answer, fault }: Exchange): string | undefined {
  if (answer === undefined)
    return fault?.error === undefined ? 'The client disconnected' : `Fault: ${BROKEN[fault.error]}`
  if (answer.status < 400) return undefined
  return readMessage(answer.body) ?? (fault === undefined ? undefined : `Response of fault ${fault.id}`)
}

/** The result of a request: success; refused (4xx); failed (5xx or no response). */
export type Fate = 'answered' | 'refused' | 'failed'

export function toFate({ answer }: Pick<Exchange, 'answer'>): Fate {
  if (answer === undefined || answer.status >= 500) return 'failed'
  return answer.status >= 400 ? 'refused' : 'answered'
}
