import type { Sandboxes } from '../../../sandbox/sandboxes.ts'
import type { Mock } from '../../../service/mock.ts'
import { toService } from '../../../service/mock-service.ts'
import { startAgain } from '../start-again.ts'
import { waitFor } from '../wait-for.ts'
import { createMemoryWarning, createQuarantineWarning, type PersistWarning } from './persist-warning.ts'
import { openStateDatabase, QUARANTINE, toDatabaseName, write } from './state-database.ts'
import { createStateSync, type StateSync } from './state-sync.ts'

/** Stores a mock's state in IndexedDB, and shares it with the other pages of the origin. */
export interface Persistence {
  /** The mock's `fetch`: it sees the changes of all pages, and responds when its own changes are stored. */
  fetch(request: Request): Promise<Response>
  /** Resets all sandboxes to the mock's seed, in all pages, and deletes the quarantined state. */
  forget(): Promise<void>
  /** Stores what is left, then stops. The state stays, in the page and in the database. */
  close(): Promise<void>
}

interface PersistenceOptions {
  /** The name of the state. An origin can have several. */
  readonly name: string
  /** How long IndexedDB may take to open, in milliseconds. */
  readonly timeout: number
  /** Called with what could not be stored or restored. */
  readonly onWarning: (warning: PersistWarning) => void
}

/**
 * Restores the state stored under the name, or stores the mock's current state, and stores every change from then on. If
 * nothing can be stored, `onWarning` gets the reason and the mock continues in memory.
 */
export async function openPersistence(mock: Mock, options: PersistenceOptions): Promise<Persistence> {
  const { sandboxes } = toService(mock)
  // For pages that send no requests. Before a page answers a request, it looks for changes itself.
  const channel = new BroadcastChannel(toDatabaseName(options.name))
  const queue = createQueue(sandboxes, { ...options, onStored: () => channel.postMessage('stored') })
  const unsubscribe = mock.onChange((change) => {
    queue.connection?.sync.note(change)
    if (queue.connection?.sync.hasChanges) void queue.sync()
  })
  channel.onmessage = () => void queue.sync()
  await queue.settle()
  return {
    async fetch(request) {
      await queue.sync()
      const response = await mock.fetch(request)
      await queue.settle()
      return response
    },
    async forget() {
      // This includes sandboxes that this page has not seen yet.
      await queue.sync()
      startAgain(sandboxes)
      await queue.add(({ database }) =>
        write(database, async (transaction) => transaction.objectStore(QUARANTINE).clear()),
      )
    },
    async close() {
      unsubscribe()
      await queue.close()
      channel.close()
    },
  }
}

interface Connection {
  readonly database: IDBDatabase
  readonly sync: StateSync
}

/** Database work runs in turn, so that a read is never older than an earlier write. It never rejects. */
interface Queue {
  /** `undefined` until the database is open, and after storing has failed. */
  readonly connection: Connection | undefined
  /** Resolves when all changes so far are stored, and those of other pages are applied. */
  sync(): Promise<void>
  /** Resolves when the queued work is done. */
  settle(): Promise<void>
  add(work: (connection: Connection) => Promise<unknown>): Promise<void>
  close(): Promise<void>
}

/** Restores the stored state. If nothing can be stored, it warns once and does nothing from then on. */
function createQueue(sandboxes: Sandboxes, options: PersistenceOptions & { readonly onStored: () => void }): Queue {
  const { name, timeout, onStored } = options
  let connection: Connection | undefined
  let isOver = false
  let isSyncQueued = false
  let tail = connect().catch(giveUp)

  async function connect(): Promise<void> {
    const opened = openStateDatabase(name)
    const database = await waitFor(opened, AbortSignal.timeout(timeout), () => {
      void opened.then((late) => late.close()).catch(() => {})
      return new Error('IndexedDB did not open in time')
    })
    database.onversionchange = () => giveUp('its database was deleted')
    database.onclose = () => giveUp('the browser closed its database')
    connection = { database, sync: createStateSync(database, sandboxes) }
    for (const problem of await connection.sync.load()) tell(createQuarantineWarning(name, problem))
    await syncNow(connection)
  }

  async function syncNow({ sync }: Connection): Promise<void> {
    isSyncQueued = false
    if (await sync.sync()) onStored()
  }

  function giveUp(reason: unknown): void {
    if (isOver) return
    end()
    tell(createMemoryWarning(name, toText(reason)))
  }

  /** In a task of its own: an error in the listener must not fail the persistence. */
  function tell(warning: PersistWarning): void {
    queueMicrotask(() => options.onWarning(warning))
  }

  function end(): void {
    isOver = true
    connection?.database.close()
    connection = undefined
  }

  function add(work: (connection: Connection) => Promise<unknown>): Promise<void> {
    tail = tail.then(() => connection && work(connection)).then(() => {}, giveUp)
    return tail
  }

  return {
    get connection() {
      return connection
    },
    sync() {
      if (isSyncQueued) return tail
      isSyncQueued = true
      return add(syncNow)
    },
    settle: () => tail,
    add,
    close: () => add(async () => end()),
  }
}

/** Chromium's QuotaExceededError has an empty message. */
function toText(reason: unknown): string {
  return reason instanceof Error ? reason.message || reason.name : String(reason)
}
