import { MockError, type MockErrorCode } from './mock-error.ts'
import { cut, quote } from './quote.ts'
import { suggest } from './suggest.ts'

/** What to hold an object to, and what to say of it. */
export interface KnownNames {
  /** `Failed to start the server`. */
  readonly failure: string
  readonly known: readonly string[]
  /** @default 'INVALID_OPTION' */
  readonly code?: MockErrorCode
}

/**
 * Refuses what is no object, and an object with a property that is not known, so that a typing error is noticed.
 * @throws {MockError} naming the property and the nearest known one.
 */
export function assertKnown(value: unknown, { failure, known, code = 'INVALID_OPTION' }: KnownNames): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MockError(code, `${failure}: an object with ${known.join(', ')} is wanted, got ${quote(value)}.`)
  }
  const unknown = Object.keys(value).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new MockError(code, `${failure}: ${explainUnknown(unknown, known)}`)
}

/** `prot is not known. Did you mean port? Known are host, port.` */
export function explainUnknown(name: string, known: readonly string[]): string {
  return `${cut(name)} is not known.${suggest(name, known)} Known are ${known.join(', ')}.`
}
