import { QUARANTINE, toDatabaseName } from './state-database.ts'

/** What `persist` could not store or restore. */
export interface PersistWarning {
  /**
   * `quarantined`: the stored state, or that of one sandbox, is damaged or from another release. It was quarantined, and
   * the seed is used instead. `in-memory`: nothing can be stored from now on.
   */
  readonly kind: 'quarantined' | 'in-memory'
  /** The reason, as a clause without a full stop: `it is in the format 0 (number), and this release reads 1`. */
  readonly reason: string
  /** The whole warning, in sentences for a developer. */
  readonly message: string
}

/** @param name Of the state. */
export function createQuarantineWarning(name: string, reason: string): PersistWarning {
  const place = `in the store ${QUARANTINE} of the IndexedDB database ${toDatabaseName(name)}`
  return {
    kind: 'quarantined',
    reason,
    message: `${toSubject(name)} cannot be used: ${reason}. It was quarantined ${place}; the seed is in its place.`,
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
