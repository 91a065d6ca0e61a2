import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Keeps other servers of this machine away from a state file. */
export interface StateLock {
  release(): void
}

/** A running server holds the lock. */
export class LockHeldError extends Error {}

/** The content of a lock file. */
interface Owner {
  readonly pid: number
  /** When the process started, because a restarted container has the same process id. */
  readonly started: number
  readonly token: string
}

/** How long two servers that replace the same lock wait for each other, in milliseconds. */
const SETTLE_MS = 100

/**
 * Takes the lock. That of a process that has ended is replaced.
 * @throws {LockHeldError} naming the process.
 */
export async function takeStateLock(path: string): Promise<StateLock> {
  const owner: Owner = { pid: process.pid, started: performance.timeOrigin, token: randomUUID() }
  const temporary = `${path}.${owner.token}.tmp`
  try {
    writeFileSync(temporary, JSON.stringify(owner))
    if (!create(path, temporary)) {
      const found = readOwner(path)
      if (found !== undefined && isRunning(found)) throw new LockHeldError(`process ${found.pid}`)
      renameSync(temporary, path)
      // Of two servers that did this at once, the later one has the lock, and both see that now.
      await sleep(SETTLE_MS)
    }
  } finally {
    rmSync(temporary, { force: true })
  }
  const holder = readOwner(path)
  if (holder?.token !== owner.token) throw new LockHeldError(`process ${holder?.pid}`)
  return {
    release() {
      try {
        if (readOwner(path)?.token === owner.token) rmSync(path)
      } catch {
        // Soon it is the lock of a process that has ended, which the next server replaces.
      }
    },
  }
}

/** Links the lock, so that nobody sees one without its content. Returns false if there is one already. */
function create(path: string, temporary: string): boolean {
  try {
    linkSync(temporary, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** `undefined` if there is no lock, or only half of one: its server was killed while it wrote. */
function readOwner(path: string): Owner | undefined {
  try {
    const owner = JSON.parse(readFileSync(path, 'utf8')) as Owner | null
    return Number.isInteger(owner?.pid) ? (owner ?? undefined) : undefined
  } catch {
    return undefined
  }
}

function isRunning({ pid, started }: Owner): boolean {
  if (pid === process.pid) return started === performance.timeOrigin
  if (pid <= 0) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
