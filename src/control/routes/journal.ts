import type { ControlQuery } from '../../contract/control-types.ts'
import { OPERATIONS } from '../../contract/operations.gen.ts'
import { quote } from '../../http/quote.ts'
import { isPetKey } from '../../inventory/pet-id.ts'
import type { JournalEntry } from '../../sandbox/journal-entry.ts'
import type { JournalFilter } from '../../sandbox/journal-filter.ts'
import { ControlError } from './control-error.ts'
import { type ControlRoute, defineControlRoute } from './define-control-route.ts'

/** Returns the newest `limit` matching entries. `isComplete` is false if dropped entries might have matched. */
export const getJournal: ControlRoute<'getJournal'> = defineControlRoute(
  'getJournal',
  ({ query, sandbox: { journal } }) => {
    const { limit, before, bodies, ...filter } = readQuery(query)
    const { entries, isComplete } = journal.search(filter)
    const found = entries.filter(({ id }) => id < before).slice(-limit)
    const shown = bodies === 'none' ? found.map(leaveOutBodies) : found
    return { status: 200, body: { entries: shown, dropped: journal.dropped, isComplete } }
  },
)

export const clearJournal: ControlRoute<'clearJournal'> = defineControlRoute('clearJournal', ({ sandbox }) => {
  sandbox.journal.clear()
  return { status: 204 }
})

/** For clients that only count or list entries: the bodies of 1,000 exchanges may take 64 MB. */
function leaveOutBodies({ request, answer, ...entry }: JournalEntry): JournalEntry {
  return {
    ...entry,
    request: { ...request, body: '' },
    ...(answer !== undefined && { answer: { ...answer, body: '' } }),
  }
}

type ParsedQuery = JournalFilter & { readonly limit: number; readonly before: number; readonly bodies?: 'none' }

/** The compiler reports a missing query parameter of the contract. */
const READERS: Readonly<
  Record<Exclude<keyof ControlQuery<'getJournal'>, 'sandbox'>, { readonly wanted: string; read(text: string): unknown }>
> = {
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
    wanted: 'an integer of 1 or more',
    read: (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
  },
}

function readQuery(query: ControlQuery<'getJournal'>): ParsedQuery {
  const found: Record<string, unknown> = { limit: Number.POSITIVE_INFINITY, before: Number.POSITIVE_INFINITY }
  for (const [name, { wanted, read }] of Object.entries(READERS)) {
    const text = query[name as keyof typeof READERS]
    if (text === undefined) continue
    const value = read(text)
    if (value === undefined) throw new ControlError('invalid_request', `${name} must be ${wanted}, got ${quote(text)}`)
    found[name] = value
  }
  return found as unknown as ParsedQuery
}
