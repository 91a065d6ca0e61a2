import * as v from 'valibot'
import type { ControlQuery } from '../../contract/control-types.ts'
import { object, oneOf, readAs, type Schema, string } from '../../http/schema.ts'
import { writeExactJson } from '../../http/write-exact-json.ts'
import { isPetKey } from '../../inventory/pet.ts'
import type { JournalInternals } from '../../sandbox/journal.ts'
import type { JournalEntry } from '../../sandbox/journal-entry.ts'
import { type JournalFilter, readStatus } from '../../sandbox/journal-filter.ts'
import { METHODS, OPERATION_IDS, PATH } from '../../sandbox/request-condition.ts'
import { type ControlRoute, defineControlRoute, writeList } from './define-control-route.ts'
import { parseRequest } from './read-json.ts'

const ALL = Number.POSITIVE_INFINITY

/** Returns the newest `limit` matching entries. `isComplete` is false if dropped entries might have matched. */
export const getJournal: ControlRoute<'getJournal'> = defineControlRoute(
  'getJournal',
  ({ query, sandbox: { journal } }) => {
    const { sandbox: _, limit = ALL, before = ALL, bodies, ...filter } = parseRequest(QUERY, query, 'The query')
    const ids = journal.findIds(filter)
    const entries = writeEntries(journal, { ids: ids.filter((id) => id < before).slice(-limit), bodies })
    const end = (): string => `],"dropped":${journal.dropped},"isComplete":${journal.isComplete(filter.after)}}`
    return { status: 200, portions: writeList(entries, { start: '{"entries":[', end }) }
  },
)

/** Each entry is formatted when the client is ready for it. Those that are dropped until then are left out. */
function* writeEntries(
  journal: JournalInternals,
  { ids, bodies }: { readonly ids: readonly number[]; readonly bodies: 'none' | undefined },
): Iterable<string> {
  for (const id of ids) {
    const entry = journal.get(id)
    if (entry !== undefined) yield writeExactJson(bodies === 'none' ? leaveOutBodies(entry) : entry)
  }
}

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
  method: v.optional(oneOf(METHODS)),
  path: v.optional(PATH),
  petId: v.optional(readAs(toPetId, 'an int64 in canonical decimal form')),
  status: v.optional(readAs(toStatus, 'an HTTP status, or a class of them such as 4xx')),
  after: id,
  before: id,
  limit: v.optional(readAs(toNumber(/^[1-9]\d{0,8}$/), 'an integer of 1 or more')),
  bodies: v.optional(readAs((text) => (text === 'none' ? text : undefined), 'none')),
})

function toNumber(form: RegExp): (text: unknown) => number | undefined {
  return (text) => (typeof text === 'string' && form.test(text) ? Number(text) : undefined)
}

/** The parameter is a string. */
function toStatus(text: unknown): JournalFilter['status'] {
  return readStatus(/^\d{3}$/.test(String(text)) ? Number(text) : text)
}

function toPetId(text: unknown): string | undefined {
  return typeof text === 'string' && isPetKey(text) ? text : undefined
}
