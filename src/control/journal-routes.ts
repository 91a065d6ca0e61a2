import * as v from 'valibot'
import { writeExactJson } from '../http/exact-json.ts'
import { oneOf, readAs } from '../http/schema.ts'
import { isPetKey, type PetId, toPetId } from '../inventory/pet.ts'
import type { JournalEntry } from '../sandbox/journal-entry.ts'
import { type JournalFilter, readStatus } from '../sandbox/journal-filter.ts'
import { METHODS, OPERATION_IDS, PATH } from '../sandbox/rule.ts'
import type { JournalRoutes } from './contract.ts'
import { type RouteGroup, streamJson, writeList } from './control-route.ts'

const ALL = Number.POSITIVE_INFINITY
const id = v.optional(readAs(toNumber(/^\d{1,15}$/), 'an id'))

export const journalRoutes: RouteGroup<JournalRoutes> = {
  'GET /journal': {
    query: {
      operation: v.optional(oneOf(OPERATION_IDS)),
      method: v.optional(oneOf(METHODS)),
      path: v.optional(PATH),
      petId: v.optional(readAs(readPetId, 'an int64 in canonical decimal form')),
      status: v.optional(readAs(toStatus, 'an HTTP status, or a class of them such as 4xx')),
      after: id,
      before: id,
      bodies: v.optional(readAs((text) => (text === 'none' ? text : undefined), 'none')),
      search: v.optional(v.string()),
      limit: v.optional(readAs(toNumber(/^[1-9]\d{0,8}$/), 'an integer of 1 or more')),
    },
    /**
     * Returns the newest `limit` matching entries. Each is formatted when the client is ready for it. `isComplete` is
     * false if dropped entries might have matched, or were dropped before their turn.
     */
    answer({ query, sandbox: { journal } }) {
      const { limit = ALL, before = ALL, bodies, search, ...filter } = query
      const ids = journal.findIds(filter, search)
      let isWhole = true
      const write = (id: number): string[] => {
        const entry = journal.get(id)
        isWhole &&= entry !== undefined
        return entry === undefined ? [] : [writeExactJson(bodies === 'none' ? leaveOutBodies(entry) : entry)]
      }
      const selected = ids.filter((id) => id < before).slice(-limit)
      const end = (): string =>
        `],"count":${ids.length},"dropped":${journal.dropped},"isComplete":${isWhole && journal.isComplete(filter.after)}}`
      return streamJson(writeList(selected.values().flatMap(write), { start: '{"entries":[', end }))
    },
  },
  'DELETE /journal': {
    answer({ sandbox }) {
      sandbox.journal.clear()
    },
  },
}

/** For clients that only count or list entries: the bodies of 1,000 exchanges may take 64 MB. */
function leaveOutBodies({ request, answer, ...entry }: JournalEntry): JournalEntry {
  const isError = answer !== undefined && answer.status >= 400 && answer.body.length < 2000
  const shown = isError ? answer : answer && { ...answer, body: '' }
  return { ...entry, request: { ...request, body: '' }, ...(shown !== undefined && { answer: shown }) }
}

function toNumber(form: RegExp): (text: unknown) => number | undefined {
  return (text) => (typeof text === 'string' && form.test(text) ? Number(text) : undefined)
}

/** The parameter is a string. */
function toStatus(text: unknown): JournalFilter['status'] {
  return readStatus(/^\d{3}$/.test(String(text)) ? Number(text) : text)
}

function readPetId(text: unknown): PetId | undefined {
  return typeof text === 'string' && isPetKey(text) ? toPetId(text) : undefined
}
