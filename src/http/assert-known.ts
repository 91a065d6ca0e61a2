import { MockError, type MockErrorCode } from './mock-error.ts'
import { cut, quote } from './quote.ts'
import { suggest } from './suggest.ts'

/** The property names an object may have, and how an error message begins. */
export interface KnownNames {
  /** The beginning of the message: `Failed to start the server`. */
  readonly failure: string
  readonly known: readonly string[]
  /** @default 'INVALID_OPTION' */
  readonly code?: MockErrorCode
}

/**
 * Throws unless `value` is an object with known properties only, so that a misspelled option does not go unnoticed.
 * @throws {MockError} naming the unknown property and the closest known one.
 */
export function assertKnown(value: unknown, { failure, known, code = 'INVALID_OPTION' }: KnownNames): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MockError(code, `${failure}: expected an object with ${known.join(', ')}, got ${quote(value)}.`)
  }
  const unknown = Object.keys(value).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new MockError(code, `${failure}: ${explainUnknown(unknown, known)}`)
}

/** `prot is not known. Did you mean port? Known: host, port.` */
export function explainUnknown(name: string, known: readonly string[]): string {
  const all = known.length === 0 ? 'There are none here.' : `Known: ${known.join(', ')}.`
  return `${cut(name)} is not known.${suggest(name, known)} ${all}`
}
