import type { Journal } from './journal.ts'

/** Another sandbox of the same mock. */
export interface Sibling {
  readonly name: string
  readonly journal: Pick<Journal, 'entries'>
}

/** A registered symbol, so that a sandbox also works with another copy of this package. */
const SIBLINGS = Symbol.for('petstore-mock.siblings')

/** Adds to the controls of a sandbox how to find the others; hidden from the public `Sandbox`. */
export function withSiblings<Controls extends object>(controls: Controls, list: () => Iterable<Sibling>): Controls {
  return Object.assign(controls, { [SIBLINGS]: list })
}

/** The sandboxes of the same mock, with the one that is given. None for a mock in another process. */
export function listSiblings(sandbox: object): readonly Sibling[] {
  const list = (sandbox as { [SIBLINGS]?: () => Iterable<Sibling> })[SIBLINGS]
  return list === undefined ? [] : [...list()]
}
