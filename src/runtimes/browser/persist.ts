import { waitForAbort } from '../../http/outcome.ts'
import type { Awaitable } from '../../http/wire-request.ts'
import { toPetKey } from '../../inventory/pet.ts'
import type { InventoryChange } from '../../sandbox/events.ts'
import type { Sandboxes } from '../../sandbox/sandboxes.ts'
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

/** Stores a mock's state in IndexedDB, and shares it with the other pages of the origin. */
export interface Persistence {
  /** The mock's `fetch`: it sees the changes of all pages, and responds when its own changes are stored. */
  fetch(request: Request): Promise<Response>
  /** Resets all sandboxes with `startAgain`, in all pages, and deletes the quarantined state. */
  forget(startAgain: () => Awaitable<void>): Promise<void>
  /** Stores what is left, then stops. The state stays, in the page and in the database. */
  close(): Promise<void>
}

/**
 * Restores the state stored under the name, or stores the mock's current state, and stores every change from then on. If
 * nothing can be stored, `onPersistWarning` gets the reason and the mock continues in memory.
 *
 * The store holds one state document and the number of the latest change. IndexedDB serializes transactions across pages:
 * in one of them, a page loads the document if another page has changed it, makes its own changes again, and stores the
 * result. If two pages change the same pet, the later change wins.
 */
export async function openPersistence(
  mock: Mock,
  { name, onPersistWarning }: { name: string; onPersistWarning: (warning: PersistWarning) => void },
): Promise<Persistence> {
  const { sandboxes } = toService(mock)
  /** `undefined` until it is open, and after storing has failed. */
  let database: IDBDatabase | undefined
  /** The number of the latest change that this page has seen. */
  let seen = 0
  /** Make the changes again that this page has not stored yet. */
  let changes: (() => void)[] = []
  let isRestoring = false
  let isSyncQueued = false
  let isOver = false
  // For pages that send no requests. Before a page answers a request, it looks for changes itself.
  const channel = new BroadcastChannel(toDatabaseName(name))
  const unsubscribe = mock.onChange((change) => {
    if (isRestoring || isOver) return
    changes.push(toRepetition(change, sandboxes))
    void sync()
  })
  channel.onmessage = () => void sync()
  /** Database work runs in turn, so that a read is never older than an earlier write. It never rejects. */
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
    await transact(database, 'readwrite', load)
  }

  async function load(store: IDBObjectStore): Promise<void> {
    const text: unknown = await toResult(store.get('text'))
    seen = (await toResult<number | undefined>(store.get('seq'))) ?? 0
    // Changes made meanwhile are part of the state that is stored, or that the stored one replaces.
    changes = []
    try {
      if (text !== undefined) return restore(text)
    } catch (error) {
      if (!(error instanceof FixtureError)) throw error
      store.put(text, 'quarantined')
      tell('quarantined', error.problems.join('; '))
    }
    storeState(store)
  }

  /** Applies changes of other pages and stores those of this one. Resolves when all changes so far are stored. */
  function sync(): Promise<void> {
    if (isSyncQueued) return tail
    isSyncQueued = true
    return add(async (open) => {
      isSyncQueued = false
      const mine = changes
      changes = []
      await transact(open, mine.length > 0 ? 'readwrite' : 'readonly', async (store) => {
        const seq = await toResult<number>(store.get('seq'))
        if (seq !== seen) restore(await toResult(store.get('text')), [...mine, ...changes])
        seen = seq
        if (mine.length > 0) storeState(store)
      })
      if (mine.length > 0) channel.postMessage('stored')
    })
  }

  function restore(text: unknown, repetitions?: readonly (() => void)[]): void {
    isRestoring = true
    try {
      restoreState(String(text), { sandboxes, origin: 'state', keepsHistory: repetitions !== undefined })
      for (const repeat of repetitions ?? []) repeat()
    } finally {
      isRestoring = false
    }
  }

  function storeState(store: IDBObjectStore): void {
    seen += 1
    store.put(seen, 'seq')
    store.put(writeState(sandboxes).text, 'text')
  }

  function add(work: (database: IDBDatabase) => Promise<unknown>): Promise<void> {
    tail = tail.then(() => database && work(database)).then(() => {}, giveUp)
    return tail
  }

  function giveUp(reason: unknown): void {
    if (isOver) return
    end()
    // Chromium's QuotaExceededError has an empty message.
    tell('in-memory', reason instanceof Error ? reason.message || reason.name : String(reason))
  }

  function end(): void {
    isOver = true
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
      // This includes sandboxes that this page has not seen yet.
      await sync()
      startAgain()
      await add((open) => transact(open, 'readwrite', async (store) => store.delete('quarantined')))
    },
    async close() {
      unsubscribe()
      await add(async () => end())
      channel.close()
    },
  }
}

/** A function that makes a change again, on top of the state that another page has stored. */
function toRepetition(change: InventoryChange, sandboxes: Sandboxes): () => void {
  const { type, sandbox } = change
  if (type === 'sandbox-removed') return () => void sandboxes.remove(sandbox)
  const { state } = sandboxes.open(sandbox)
  const petIds = type === 'pet' ? [change.pet.petId] : type === 'state' ? change.pets : [change.petId]
  const snapshot = petIds === undefined ? state.snapshot() : undefined
  const pets = petIds?.map(toPetKey).map((petId) => ({ petId, pet: state.get(petId) }))
  return () => {
    const { state, history, events } = sandboxes.open(sandbox)
    history.isPaused = true
    if (snapshot !== undefined) state.restore(snapshot)
    for (const { petId, pet } of pets ?? []) {
      if (pet === undefined) state.remove(petId)
      // To its place in the list, unless another page has loaded a list without it, or has moved it.
      else if (state.seed.at(pet.position)?.petId === petId && state.get(petId) === undefined) {
        state.revert(petId, pet)
        events.emit({ type: 'pet', pet })
      } else state.put(pet)
    }
    history.isPaused = false
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
async function transact(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => Promise<unknown>,
): Promise<void> {
  const transaction = database.transaction('state', mode)
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
