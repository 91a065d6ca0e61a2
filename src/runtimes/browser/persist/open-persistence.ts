import type { Sandboxes } from '../../../sandbox/sandboxes.ts'
import type { Mock } from '../../../service/mock.ts'
import { toService } from '../../../service/mock-service.ts'
import { startAgain } from '../start-again.ts'
import { waitFor } from '../wait-for.ts'
import { createAsideWarning, createMemoryWarning, type PersistWarning } from './persist-warning.ts'
import { ASIDE, openStateDatabase, toDatabaseName, write } from './state-database.ts'
import { createStateSync, type StateSync } from './state-sync.ts'

/** A mock whose state is stored in IndexedDB, and shared with the origin's other pages. */
export interface Persistence {
  /** The mock's `fetch`: it answers out of what all pages have stored, and when what it changed is stored. */
  fetch(request: Request): Promise<Response>
  /** Starts all sandboxes again from the mock's seed, in all pages, and drops what was set aside. */
  forget(): Promise<void>
  /** Ends it when everything is stored. The state stays, here and there. */
  close(): Promise<void>
}

export interface PersistenceOptions {
  /** Of the state, of which an origin can have several. */
  readonly name: string
  /** How long IndexedDB may take to open, in milliseconds. */
  readonly timeout: number
  /** Told what could not be done. */
  readonly onWarning: (warning: PersistWarning) => void
}

/**
 * Takes up what is stored under a name, or stores the mock's present state, and stores all changes from now on. Where
 * that cannot be done, `onWarning` is told why, and the mock goes on in memory.
 */
export async function openPersistence(mock: Mock, options: PersistenceOptions): Promise<Persistence> {
  const { sandboxes } = toService(mock)
  // For pages that ask for nothing; before it answers a request, a page looks for itself.
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
      // Also sandboxes that this page has not seen yet.
      await queue.sync()
      startAgain(sandboxes)
      await queue.add(({ database }) => write(database, async (transaction) => transaction.objectStore(ASIDE).clear()))
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

/** What is done with the database, in turn: what is read is never older than what was written since. None of it fails. */
interface Queue {
  /** `undefined` where nothing can be stored, or not yet. */
  readonly connection: Connection | undefined
  /** Resolves when all changes until now are stored, and the page shows what other pages have stored. */
  sync(): Promise<void>
  /** Resolves when all that was queued is done. */
  settle(): Promise<void>
  add(work: (connection: Connection) => Promise<unknown>): Promise<void>
  close(): Promise<void>
}

/** Begins with what is stored. Where nothing can be stored, that is said once, and nothing is done from then on. */
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
    for (const problem of await connection.sync.load()) tell(createAsideWarning(name, problem))
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

  /** Apart, so that an error of who is told stays his. */
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

/** Chromium's QuotaExceededError has no message. */
function toText(reason: unknown): string {
  return reason instanceof Error ? reason.message || reason.name : String(reason)
}
