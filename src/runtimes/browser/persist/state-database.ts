import type { PetKey } from '../../../inventory/pet-id.ts'

/** The format's number. It is raised when a release cannot read what earlier ones stored, or the other way round. */
export const FORMAT = 1

/** What is written at every change, so that a tab finds what it has not seen. */
export interface MetaRecord {
  readonly format: number
  /** The number of the latest change. */
  readonly seq: number
}

/** A sandbox's state without the changes of single pets. */
export interface SandboxRecord {
  readonly name: string
  /** When the state was replaced as a whole. */
  readonly seq: number
  /** The id of the document that it starts from. There is none for a sandbox that was forgotten. */
  readonly document?: string
}

/** A list of pets, stored once for all sandboxes that start from it. */
export interface DocumentRecord {
  readonly id: string
  /** The fixture's name. */
  readonly name: string
  /** The list as the service sends it. */
  readonly inventory: string
}

/** What has become of one pet. */
export interface PetRecord {
  readonly sandbox: string
  readonly petId: PetKey
  /** When it was last changed. */
  readonly seq: number
  /** When it was first changed: pets that the document has not are listed in this order. */
  readonly place: number
  /** Whether it was taken out once, and so lost its place in the document. */
  readonly isMoved: boolean
  /** There is neither of these for a pet that was taken out. */
  readonly quantity?: number
  readonly status?: string
}

export const STORES = ['meta', 'sandboxes', 'documents', 'pets'] as const
/** What could not be used, kept for those who want to look at it. */
export const ASIDE = 'aside'

export function toDatabaseName(name: string): string {
  return `petstore-mock/${name}`
}

/**
 * Opens the database, and makes it where there is none. IndexedDB's own version stays: it would refuse a database of a
 * later release, which has to be set aside instead.
 * @throws {DOMException} as IndexedDB does; `Error` where there is no IndexedDB.
 */
export function openStateDatabase(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    if (globalThis.indexedDB === undefined) throw new Error('there is no IndexedDB here')
    const request = indexedDB.open(toDatabaseName(name), 1)
    request.onupgradeneeded = () => createStores(request.result)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

function createStores(database: IDBDatabase): void {
  database.createObjectStore('meta')
  database.createObjectStore('documents', { keyPath: 'id' })
  database.createObjectStore('sandboxes', { keyPath: 'name' }).createIndex('seq', 'seq')
  database.createObjectStore('pets', { keyPath: ['sandbox', 'petId'] }).createIndex('seq', 'seq')
  database.createObjectStore(ASIDE, { autoIncrement: true })
}
