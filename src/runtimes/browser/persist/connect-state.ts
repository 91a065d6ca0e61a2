import type { InventoryChange } from '../../../sandbox/events.ts'
import type { Sandboxes } from '../../../sandbox/sandboxes.ts'
import { waitFor } from '../wait-for.ts'
import { createAsideWarning, createMemoryWarning, type PersistWarning } from './persist-warning.ts'
import { ASIDE, openStateDatabase } from './state-database.ts'
import { createStateSync, type StateSync } from './state-sync.ts'
import { write } from './transaction.ts'

/** The sandboxes of a page and what is stored of them, one thing done after the other. None of it fails. */
export interface StateConnection {
  /** Takes note of a change, and has it stored. */
  note(change: InventoryChange): void
  /** Resolves when the page shows all that was stored until now, whatever page stored it. */
  pull(): Promise<void>
  /** Resolves when all changes until now are stored. */
  settle(): Promise<void>
  /** Drops what was set aside. */
  dropAside(): Promise<void>
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

interface ConnectOptions extends PersistenceOptions {
  /** Called when other pages have something to take up. */
  readonly onStored: () => void
}

/** Begins with what is stored. Where nothing can be stored, that is said once, and nothing is done from then on. */
export function connectState(sandboxes: Sandboxes, options: ConnectOptions): StateConnection {
  const { name, timeout, onStored } = options
  let connection: { readonly database: IDBDatabase; readonly sync: StateSync } | undefined
  let isOver = false
  let isPullQueued = false
  let tail = connect().then(store).catch(giveUp)

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
  }

  async function store(): Promise<void> {
    if (connection?.sync.hasChanges && (await connection.sync.store())) onStored()
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

  /** In turn, so that what is read is never older than what was written since. */
  function enqueue(work: () => Promise<unknown> | undefined): Promise<void> {
    tail = tail.then(work).then(() => {}, giveUp)
    return tail
  }

  return {
    note(change) {
      if (connection === undefined) return
      const { sync } = connection
      const isQueued = sync.hasChanges
      sync.note(change)
      if (!isQueued && sync.hasChanges) void enqueue(store)
    },
    pull() {
      if (isPullQueued) return tail
      isPullQueued = true
      return enqueue(() => {
        isPullQueued = false
        return connection?.sync.catchUp()
      })
    },
    settle: () => tail,
    dropAside: () =>
      enqueue(
        () => connection && write(connection.database, async (transaction) => transaction.objectStore(ASIDE).clear()),
      ),
    close: () => enqueue(async () => end()),
  }
}

/** Chromium's QuotaExceededError has no message. */
function toText(reason: unknown): string {
  return reason instanceof Error ? reason.message || reason.name : String(reason)
}
