import * as v from 'valibot'
import type { ControlQuery } from '../../contract/control-types.ts'
import { object, oneOf, readAs, type Schema, string } from '../../http/schema.ts'
import { isPetKey } from '../../inventory/pet.ts'
import type { JournalEntry } from '../../sandbox/journal-entry.ts'
import type { JournalFilter } from '../../sandbox/journal-filter.ts'
import { OPERATION_IDS } from '../../sandbox/operation-selection.ts'
import { type ControlRoute, defineControlRoute } from './define-control-route.ts'
import { parseRequest } from './read-json.ts'

const ALL = Number.POSITIVE_INFINITY

/** Returns the newest `limit` matching entries. `isComplete` is false if dropped entries might have matched. */
export const getJournal: ControlRoute<'getJournal'> = defineControlRoute(
  'getJournal',
  ({ query, sandbox: { journal } }) => {
    const { sandbox: _, limit = ALL, before = ALL, bodies, ...filter } = parseRequest(QUERY, query, 'The query')
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

type ParsedQuery = Omit<JournalFilter, 'body' | 'headers'> & {
  readonly sandbox?: string
  readonly before?: number
  readonly limit?: number
  readonly bodies?: 'none'
}

const id = v.optional(readAs(toNumber(/^\d{1,15}$/), 'an id'))

/** The compiler reports a missing query parameter of the contract. */
const QUERY: Schema<ParsedQuery> = object<ParsedQuery & Partial<Record<keyof ControlQuery<'getJournal'>, unknown>>>({
  sandbox: v.optional(string),
  operation: v.optional(oneOf(OPERATION_IDS)),
  petId: v.optional(readAs(toPetId, 'an int64 in canonical decimal form')),
  status: v.optional(readAs(toNumber(/^[1-5]\d\d$/), 'an HTTP status')),
  after: id,
  before: id,
  limit: v.optional(readAs(toNumber(/^[1-9]\d{0,8}$/), 'an integer of 1 or more')),
  bodies: v.optional(readAs((text) => (text === 'none' ? text : undefined), 'none')),
})

function toNumber(form: RegExp): (text: unknown) => number | undefined {
  return (text) => (typeof text === 'string' && form.test(text) ? Number(text) : undefined)
}

function toPetId(text: unknown): string | undefined {
  return typeof text === 'string' && isPetKey(text) ? text : undefined
}
