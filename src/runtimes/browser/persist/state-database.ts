import type { PetKey } from '../../../inventory/pet.ts'

/** The format number. It is raised when releases can no longer read each other's state. */
export const FORMAT = 1

/** Written with every change, so that a tab finds the changes that it has not seen. */
export interface MetaRecord {
  readonly format: number
  /** The number of the latest change. */
  readonly seq: number
}

/** The state of a sandbox without the changes to single pets. */
export interface SandboxRecord {
  readonly name: string
  /** The number of the change that replaced the state as a whole. */
  readonly seq: number
  /** The id of the document that the state starts from; none for a deleted sandbox. */
  readonly document?: string
}

/** A list of pets, stored once for every sandbox that starts from it. */
export interface DocumentRecord {
  readonly id: string
  /** The fixture's name. */
  readonly name: string
  /** The list as the service sends it. */
  readonly inventory: string
}

/** The changes to one pet. */
export interface PetRecord {
  readonly sandbox: string
  readonly petId: PetKey
  /** The number of its latest change. */
  readonly seq: number
  /** The number of its first change. Pets that are not in the document are listed in this order. */
  readonly place: number
  /** Whether it was removed once, and so lost its position in the document. */
  readonly isMoved: boolean
  /** Both are missing for a removed pet. */
  readonly quantity?: number
  readonly status?: string
}

const STORES = ['meta', 'sandboxes', 'documents', 'pets'] as const
/** State that could not be restored, kept for inspection. */
export const QUARANTINE = 'aside'

export function toDatabaseName(name: string): string {
  return `petstore-mock/${name}`
}

/**
 * Opens the database, or creates it. The version of IndexedDB itself never changes: it would refuse the database of a
 * later release, whose state must be quarantined instead.
 * @throws {DOMException} as IndexedDB does; `Error` if there is no IndexedDB.
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
  database.createObjectStore(QUARANTINE, { autoIncrement: true })
}

/** @throws {Error} if another release has stored the state in its own format in the meantime. */
export async function readMeta(transaction: IDBTransaction): Promise<MetaRecord> {
  const meta: MetaRecord | undefined = await toResult(transaction.objectStore('meta').get('meta'))
  if (meta?.format === FORMAT) return meta
  throw new Error(`it is in the format ${meta?.format} now, that of another release`)
}

/** The result of a request. Awaiting anything but requests of the transaction ends it. */
export function toResult<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/**
 * Reads in one transaction, so that all records are from the same moment.
 * @throws {DOMException} as IndexedDB does.
 */
export function read<T>(database: IDBDatabase, work: (transaction: IDBTransaction) => Promise<T>): Promise<T> {
  return work(database.transaction(STORES, 'readonly'))
}

/**
 * Writes atomically; resolves when the transaction is complete. IndexedDB serializes writing transactions across tabs. A
 * complete transaction survives a crash of the tab or the browser, but perhaps not a power failure: `strict` durability
 * would wait for the disk on every change.
 * @throws {DOMException} as IndexedDB does, for example `QuotaExceededError`.
 */
export async function write<T>(database: IDBDatabase, work: (transaction: IDBTransaction) => Promise<T>): Promise<T> {
  const transaction = database.transaction([...STORES, QUARANTINE], 'readwrite')
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
    // The transaction has already ended.
  }
}

/** The key range of all pets of one sandbox. */
export function toPetRange(sandbox: string): IDBKeyRange {
  return IDBKeyRange.bound([sandbox], [sandbox, []])
}
