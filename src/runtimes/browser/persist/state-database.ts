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

/** @throws {Error} where another release has stored the state in its own format meanwhile. */
export async function readMeta(transaction: IDBTransaction): Promise<MetaRecord> {
  const meta: MetaRecord | undefined = await toResult(transaction.objectStore('meta').get('meta'))
  if (meta?.format === FORMAT) return meta
  throw new Error(`it is in the format ${meta?.format} now, that of another release`)
}

/** The result of a request. Between the requests of a transaction nothing else may be awaited, or it ends. */
export function toResult<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/**
 * Reads in one transaction, and so one state.
 * @throws {DOMException} as IndexedDB does.
 */
export function read<T>(database: IDBDatabase, work: (transaction: IDBTransaction) => Promise<T>): Promise<T> {
  return work(database.transaction(STORES, 'readonly'))
}

/**
 * Writes in one transaction, all or nothing; resolves when what was written is stored. The transactions that write come
 * one after the other, whatever tab they are of. A tab or a browser that dies loses nothing of one that is complete,
 * since the system has it. A power failure could: IndexedDB's `strict` durability would wait for the disk at every
 * change, and the state of a mock is not worth that wait.
 * @throws {DOMException} as IndexedDB does: `QuotaExceededError`, for one.
 */
export async function write<T>(database: IDBDatabase, work: (transaction: IDBTransaction) => Promise<T>): Promise<T> {
  const transaction = database.transaction([...STORES, ASIDE], 'readwrite')
  const completed = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
  try {
    const result = await work(transaction)
    await completed
    return result
  } catch (error) {
    completed.catch(() => {})
    abort(transaction)
    throw error
  }
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort()
  } catch {
    // It has ended already.
  }
}

/** All pets of one sandbox. */
export function toPetRange(sandbox: string): IDBKeyRange {
  return IDBKeyRange.bound([sandbox], [sandbox, []])
}
