import type { Awaitable } from '../../http/awaitable.ts'
import { waitForAbort } from '../../http/fetch-result.ts'
import { restoreState, writeState } from '../../sandbox/state-document.ts'
import { type Mock, toService } from '../../service/mock.ts'
import { FixtureError } from '../../store/fixture.ts'

/** What `persist` could not store or restore. */
export interface PersistWarning {
  /**
   * `quarantined`: the stored state is damaged or from another release. It was quarantined, and the seed is used instead.
   * `in-memory`: nothing can be stored from now on.
   */
  readonly kind: 'quarantined' | 'in-memory'
  /** The reason, as a clause without a full stop: `IndexedDB did not open in time`. */
  readonly reason: string
  /** The whole warning, in sentences for a developer. */
  readonly message: string
}

/** How long IndexedDB may take to open, in milliseconds. */
const PATIENCE_MS = 10_000

/** Stores a mock's state in IndexedDB. */
export interface Persistence {
  /** The mock's `fetch`. It responds from the newest stored state, and when the changes of the request are stored. */
  fetch(request: Request): Promise<Response>
  /** Resets all sandboxes with `startAgain`, stores that, and deletes the quarantined state. */
  forget(startAgain: () => Awaitable<void>): Promise<void>
  /** Stores what is left, then stops. The state stays, in the page and in the database. */
  close(): Promise<void>
}

/**
 * Restores the state stored under the name, or stores the mock's current state, and stores every change from then on. If
 * nothing can be stored, `onPersistWarning` gets the reason and the mock continues in memory.
 *
 * The store holds one state document and its number. Before a tab answers a request, it loads the document if another tab has
 * stored a newer one. Of two tabs that change their states at the same time, the later one replaces the whole document.
 */
export async function openPersistence(
  mock: Mock,
  { name, onPersistWarning }: { name: string; onPersistWarning: (warning: PersistWarning) => void },
): Promise<Persistence> {
  const { sandboxes } = toService(mock)
  /** `undefined` until it is open, and when it is over. */
  let database: IDBDatabase | undefined
  /** The number of the document that has this page's state. */
  let own: number | undefined
  /** Of this page's state: `changed` until it is stored. */
  let state: 'loading' | 'changed' | 'stored' | 'over' = 'loading'
  const unsubscribe = mock.onChange(() => {
    if (state !== 'stored') return
    state = 'changed'
    void sync()
  })
  /** Transactions run in turn. It never rejects. */
  let tail = connect().catch(giveUp)

  async function connect(): Promise<void> {
    const opened = openDatabase(name)
    database = await Promise.race([opened, waitForAbort(AbortSignal.timeout(PATIENCE_MS)).then(() => undefined)])
    if (database === undefined) {
      opened.then((late) => late.close()).catch(() => {})
      return giveUp('IndexedDB did not open in time')
    }
    database.onversionchange = () => giveUp('its database was deleted or belongs to another release now')
    database.onclose = () => giveUp('the browser closed its database')
    await transact(database, loadOrSave)
  }

  function sync(work: (store: IDBObjectStore) => Promise<void> = loadOrSave): Promise<void> {
    tail = tail.then(() => database && transact(database, work)).catch(giveUp)
    return tail
  }

  async function loadOrSave(store: IDBObjectStore): Promise<void> {
    const latest = (await toResult<number | undefined>(store.get('seq'))) ?? 0
    if (latest === own && state !== 'changed') return
    const text: unknown = latest === own ? undefined : await toResult(store.get('text'))
    // Asked again, because this page may have answered an update meanwhile.
    if (state !== 'changed' && text !== undefined && load(text, store)) {
      own = latest
    } else {
      own = latest + 1
      store.put(own, 'seq')
      store.put(writeState(sandboxes).text, 'text')
    }
    state = 'stored'
  }

  /** Returns whether the document could be used. */
  function load(text: unknown, store: IDBObjectStore): boolean {
    state = 'loading'
    try {
      restoreState(String(text), { sandboxes, origin: 'state' })
      return true
    } catch (error) {
      if (!(error instanceof FixtureError)) throw error
      store.put(text, 'quarantined')
      tell('quarantined', error.problems.join('; '))
      return false
    }
  }

  function giveUp(reason: unknown): void {
    if (state === 'over') return
    end()
    // Chromium's QuotaExceededError has an empty message.
    tell('in-memory', reason instanceof Error ? reason.message || reason.name : String(reason))
  }

  function end(): void {
    state = 'over'
    database?.close()
    database = undefined
  }

  /** In a task of its own: an error in the listener must not fail the persistence. */
  function tell(kind: PersistWarning['kind'], reason: string): void {
    const message = `petstore-mock: the state of persist, "${name}", ${
      kind === 'quarantined'
        ? `cannot be used: ${reason}. It was quarantined in the IndexedDB database ${toDatabaseName(name)}; the seed is in its place.`
        : `cannot be stored: ${reason}. It goes on in memory.`
    }`
    queueMicrotask(() => onPersistWarning({ kind, reason, message }))
  }

  await tail
  return {
    async fetch(request) {
      await sync()
      const response = await mock.fetch(request)
      await tail
      return response
    },
    async forget(startAgain) {
      await startAgain()
      await sync(async (store) => void store.delete('quarantined'))
    },
    async close() {
      unsubscribe()
      await tail
      end()
    },
  }
}

function toDatabaseName(name: string): string {
  return `petstore-mock/${name}`
}

/**
 * Opens the database, or creates it.
 * @throws {DOMException} as IndexedDB does, also for the database of a later release; `Error` if there is no IndexedDB.
 */
async function openDatabase(name: string): Promise<IDBDatabase> {
  if (globalThis.indexedDB === undefined) throw new Error('there is no IndexedDB here')
  const request = indexedDB.open(toDatabaseName(name), 2)
  request.onupgradeneeded = () => void request.result.createObjectStore('state')
  return toResult(request)
}

/** The result of a request. Awaiting anything but requests of the transaction ends it. */
function toResult<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/**
 * Runs work in one transaction; resolves when the transaction is complete. It then survives a crash of the tab or the
 * browser, but perhaps not a power failure: `strict` durability would wait for the disk on every change.
 * @throws {DOMException} as IndexedDB does, for example `QuotaExceededError`.
 */
async function transact(database: IDBDatabase, work: (store: IDBObjectStore) => Promise<void>): Promise<void> {
  const transaction = database.transaction('state', 'readwrite')
  const completed = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
  try {
    await work(transaction.objectStore('state'))
    await completed
  } catch (error) {
    completed.catch(() => {})
    try {
      transaction.abort()
    } catch {
      // It has ended already.
    }
    throw error
  }
}
