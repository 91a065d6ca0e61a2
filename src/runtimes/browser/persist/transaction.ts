import { ASIDE, STORES } from './state-database.ts'

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
