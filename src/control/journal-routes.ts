import * as v from 'valibot'
import { readAs } from '../http/schema.ts'
import { CONDITION, type RequestCondition } from '../sandbox/condition.ts'
import { type JournalEntry, type JournalRecord, LARGEST_EVENT_BODY, toJournalEntry } from '../sandbox/journal-entry.ts'
import { type JournalFilter, readStatusFilter } from '../sandbox/journal-filter.ts'
import { type Har, toHar } from '../sandbox/to-har.ts'
import { LIMIT, type RouteGroup, toNumber } from './control-route.ts'

/** The requests to a sandbox and their responses. */
export interface JournalRoutes {
  /** List the matching exchanges, oldest first */
  'GET /journal': { id: 'getJournal'; query: JournalQuery; response: JournalPage }
  /** Export the journal as an HTTP Archive, for browsers, proxies and other tools */
  'GET /journal.har': { id: 'exportJournal'; response: Har }
  /** Clear the journal */
  'DELETE /journal': { id: 'clearJournal' }
}

interface JournalQuery extends RequestCondition {
  /** Matches only exchanges with this response status, or class of statuses. */
  readonly status?: HttpStatus | '1xx' | '2xx' | '3xx' | '4xx' | '5xx'
  /**
   * Matches only exchanges newer than the one with this id.
   * @minimum 0
   */
  readonly after?: number
  /**
   * Matches only exchanges older than the one with this id.
   * @minimum 0
   */
  readonly before?: number
  /** Matches only exchanges with each of these words in the method, path, status (`404 4xx`), fault or error response. */
  readonly search?: string
  /** `none` returns empty bodies, except those of error responses. */
  readonly bodies?: 'none'
  /**
   * The maximum number of exchanges. The newest ones are returned.
   * @minimum 1
   */
  readonly limit?: number
}

/**
 * @minimum 100
 * @maximum 599
 */
type HttpStatus = number

/** @example {"entries":[],"count":0,"dropped":0,"isComplete":true} */
interface JournalPage {
  readonly entries: JournalEntry[]
  /** The number of all matching exchanges, regardless of `before` and `limit`. */
  readonly count: number
  /** The number of older exchanges that were dropped. */
  readonly dropped: number
  /** False if dropped exchanges might have matched. */
  readonly isComplete: boolean
}

const ALL = Number.POSITIVE_INFINITY
const id = v.optional(readAs(toNumber(/^\d{1,15}$/), 'an id'))

/** @internal */
export const journalRoutes: RouteGroup<JournalRoutes> = {
  'GET /journal': {
    query: {
      ...CONDITION,
      status: v.optional(readAs(toStatus, 'an HTTP status, or a class of them such as 4xx')),
      after: id,
      before: id,
      bodies: v.optional(readAs((text) => (text === 'none' ? text : undefined), 'none')),
      search: v.optional(v.string()),
      limit: LIMIT,
    },
    answer({ query, sandbox: { journal } }) {
      const { limit = ALL, before = ALL, bodies, search = '', ...filter } = query
      const words = search.toLowerCase().match(/\S+/g) ?? []
      const matching = journal.select(filter).filter((exchange) => words.length === 0 || hasWords(exchange, words))
      const shown = matching.filter(({ id }) => id < before).slice(-limit)
      const entries = shown.map((exchange) => toJournalEntry(exchange))
      return {
        entries: bodies === 'none' ? entries.map(leaveOutBodies) : entries,
        count: matching.length,
        dropped: journal.dropped,
        isComplete: journal.isComplete(filter.after),
      }
    },
  },
  'GET /journal.har': {
    answer: ({ request, sandbox: { journal } }) => toHar(journal.entries, request.url.origin),
  },
  'DELETE /journal': { answer: ({ sandbox }) => sandbox.journal.clear() },
}

/** Looks at what a list shows of the exchange, and at the body of an error, which has the reason. */
function hasWords(exchange: JournalRecord, words: readonly string[]): boolean {
  const { request, answer, fault } = toJournalEntry(exchange, LARGEST_EVENT_BODY)
  const status = answer === undefined ? 'none 5xx' : `${answer.status} ${Math.floor(answer.status / 100)}xx`
  const injected = fault === undefined ? '' : `fault ${fault.id} ${fault.error ?? ''}`
  const reason = answer !== undefined && answer.status >= 400 ? answer.body : ''
  const line = `${request.method} ${request.path} ${status} ${injected} ${reason}`.toLowerCase()
  return words.every((word) => line.includes(word))
}

/** For clients that only count or list entries: the bodies of 1,000 exchanges may take 64 MB. */
function leaveOutBodies({ request, answer, ...entry }: JournalEntry): JournalEntry {
  const isError = answer !== undefined && answer.status >= 400 && answer.body.length < 2000
  const shown = isError ? answer : answer && { ...answer, body: '' }
  return { ...entry, request: { ...request, body: '' }, ...(shown !== undefined && { answer: shown }) }
}

/** The parameter is a string. */
function toStatus(text: unknown): JournalFilter['status'] {
  return readStatusFilter(/^\d{3}$/.test(String(text)) ? Number(text) : text)
}
