import type { JournalEntry } from '../../sandbox/journal-entry.ts'
import { SIBLINGS, type Sibling } from '../../sandbox/sandboxes.ts'

/** What a sandbox of the same mock received. */
interface SiblingRequests {
  readonly name: string
  /** Without those from before `hideEarlier`. */
  listEntries(): readonly JournalEntry[]
}

const HIDDEN_UNTIL = Symbol.for('petstore-mock.siblings-hidden-until')

interface WithSiblings {
  readonly [SIBLINGS]?: () => Iterable<Sibling>
  /** By journal and not by name: the ids of a sandbox that was removed start again. */
  readonly [HIDDEN_UNTIL]?: ReadonlyMap<object, number>
}

/** The sandboxes of the same mock, with the one that is given. None for a mock in another process. */
export function listSiblings(sandbox: object): readonly SiblingRequests[] {
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
