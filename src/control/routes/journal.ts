import { OPERATIONS } from '../../contract/operations.gen.ts'
import { quote } from '../../http/quote.ts'
import { createEmptyResponse, createJsonResponse } from '../../http/wire-response.ts'
import { writeExactJson } from '../../http/write-exact-json.ts'
import { isPetKey } from '../../inventory/pet-id.ts'
import type { JournalEntry } from '../../sandbox/journal-entry.ts'
import type { JournalFilter } from '../../sandbox/journal-filter.ts'
import { ControlError } from './control-error.ts'
import type { ControlRoute } from './control-route.ts'

/** Newest entries win where there are more than `limit`. `isComplete` says whether dropped ones may have fitted. */
export const getJournal: ControlRoute = {
  method: 'GET',
  path: '/journal',
  query: ['operation', 'petId', 'status', 'after', 'before', 'limit', 'bodies'],
  answer({ call, sandbox }) {
    const { limit, before, bodies, ...filter } = readQuery(call.url.searchParams)
    const { entries, isComplete } = sandbox.journal.search(filter)
    const found = entries.filter(({ id }) => id < before).slice(-limit)
    const list = (bodies === 'none' ? found.map(leaveOutBodies) : found).map(toEntryJson).join(',')
    return createJsonResponse(
      200,
      `{"entries":[${list}],"dropped":${sandbox.journal.dropped},"isComplete":${isComplete}}`,
    )
  },
}

export const clearJournal: ControlRoute = {
  method: 'DELETE',
  path: '/journal',
  answer({ sandbox }) {
    sandbox.journal.clear()
    return createEmptyResponse()
  },
}

/** As JSON with the petId as an exact integer. */
export function toEntryJson(entry: JournalEntry): string {
  return writeExactJson(entry)
}

/** For those who only count: the bodies of a thousand exchanges may weigh 64 MB. */
function leaveOutBodies({ request, answer, ...entry }: JournalEntry): JournalEntry {
  return {
    ...entry,
    request: { ...request, body: '' },
    ...(answer !== undefined && { answer: { ...answer, body: '' } }),
  }
}

type Query = JournalFilter & { readonly limit: number; readonly before: number; readonly bodies?: 'none' }

const READERS: ReadonlyMap<string, { wanted: string; read(text: string): unknown }> = new Map(
  Object.entries({
    operation: {
      wanted: `one of ${OPERATIONS.map(({ id }) => id).join(', ')}`,
      read: (text) => OPERATIONS.find(({ id }) => id === text)?.id,
    },
    petId: { wanted: 'an int64 in canonical decimal form', read: (text) => (isPetKey(text) ? text : undefined) },
    status: { wanted: 'an HTTP status', read: (text) => (/^[1-5]\d\d$/.test(text) ? Number(text) : undefined) },
    after: { wanted: 'an id', read: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined) },
    before: { wanted: 'an id', read: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined) },
    bodies: { wanted: 'none', read: (text) => (text === 'none' ? text : undefined) },
    limit: {
      wanted: 'a whole number from 1 on',
      read: (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
    },
  }),
)

function readQuery(query: URLSearchParams): Query {
  const found: Record<string, unknown> = { limit: Number.POSITIVE_INFINITY, before: Number.POSITIVE_INFINITY }
  for (const [name, text] of query) {
    if (name === 'sandbox') continue
    const reader = READERS.get(name)
    const value = reader?.read(text)
    if (value === undefined)
      throw new ControlError('invalid_request', `${name} must be ${reader?.wanted}, got ${quote(text)}`)
    found[name] = value
  }
  return found as unknown as Query
}
