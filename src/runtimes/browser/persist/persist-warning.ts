import { ASIDE, toDatabaseName } from './state-database.ts'

/** What `persist` could not do. */
export interface PersistWarning {
  /**
   * `set-aside`: what was stored, all of it or a sandbox, is damaged or of another release. It was set aside, and the
   * mock's own state is in its place. `in-memory`: nothing can be stored from now on.
   */
  readonly kind: 'set-aside' | 'in-memory'
  /** Why: a clause without a full stop, `it is in the format 0 (number), and this release reads 1`. */
  readonly reason: string
  /** All of it, in whole sentences for a developer. */
  readonly message: string
}

/** @param name Of the state. */
export function createAsideWarning(name: string, reason: string): PersistWarning {
  const place = `in the store ${ASIDE} of the IndexedDB database ${toDatabaseName(name)}`
  return {
    kind: 'set-aside',
    reason,
    message: `${toSubject(name)} cannot be used: ${reason}. It was set aside, ${place}; the seed is in its place.`,
  }
}

/** @param name Of the state. */
export function createMemoryWarning(name: string, reason: string): PersistWarning {
  return {
    kind: 'in-memory',
    reason,
    message: `${toSubject(name)} cannot be stored: ${reason}. It goes on in memory.`,
  }
}

function toSubject(name: string): string {
  return `petstore-mock: the state of persist, "${name}",`
}
