import type { JournalInternals } from './journal.ts'
import type { JournalEntry } from './journal-entry.ts'

/** A sandbox of the same mock. */
export interface Sibling {
  readonly name: string
  /** Its requests, without those from before `hideEarlier`. */
  listEntries(): readonly JournalEntry[]
}

interface Listed {
  readonly name: string
  readonly journal: Pick<JournalInternals, 'entries' | 'newestId'>
}

/** Registered symbols, so that a sandbox also works with another copy of this package. */
const SIBLINGS = Symbol.for('petstore-mock.siblings')
const HIDDEN_UNTIL = Symbol.for('petstore-mock.siblings-hidden-until')

interface WithSiblings {
  readonly [SIBLINGS]?: () => Iterable<Listed>
  /** By journal and not by name: the ids of a sandbox that was removed start again. */
  readonly [HIDDEN_UNTIL]?: ReadonlyMap<object, number>
}

/** Adds to the controls of a sandbox how to find the others; hidden from the public `Sandbox`. */
export function withSiblings<Controls extends object>(controls: Controls, list: () => Iterable<Listed>): Controls {
  return Object.assign(controls, { [SIBLINGS]: list })
}

/** The sandboxes of the same mock, with the one that is given. None for a mock in another process. */
export function listSiblings(sandbox: object): readonly Sibling[] {
  const { [SIBLINGS]: list, [HIDDEN_UNTIL]: hidden } = sandbox as WithSiblings
  return Array.from(list?.() ?? [], ({ name, journal }) => ({
    name,
    listEntries: () => journal.entries.filter(({ id }) => id > (hidden?.get(journal) ?? 0)),
  }))
}

/** Hides what the siblings have received so far, because a test that starts now is not about it. */
export function hideEarlier(sandbox: object): void {
  const { [SIBLINGS]: list } = sandbox as WithSiblings
  const newest = Array.from(list?.() ?? [], ({ journal }) => [journal, journal.newestId] as const)
  Object.assign(sandbox, { [HIDDEN_UNTIL]: new Map(newest) })
}
