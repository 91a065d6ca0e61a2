import type { JournalInternals } from './journal.ts'

/** A sandbox of the same mock. */
export interface Sibling {
  readonly name: string
  readonly journal: Pick<JournalInternals, 'entries' | 'newestId'>
}

/** A registered symbol, so that a sandbox also works with another copy of this package. */
export const SIBLINGS: unique symbol = Symbol.for('petstore-mock.siblings') as never

/** Attaches a lookup of the mock's other sandboxes, hidden from the public `Sandbox`. */
export function withSiblings<Controls extends object>(controls: Controls, list: () => Iterable<Sibling>): Controls {
  return Object.assign(controls, { [SIBLINGS]: list })
}
