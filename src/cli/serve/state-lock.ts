import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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
  if (!create(path, owner)) {
    const found = readOwner(path)
    if (found !== undefined && isRunning(found)) throw new LockHeldError(`process ${found.pid}`)
    const temporary = `${path}.${process.pid}.tmp`
    writeFileSync(temporary, JSON.stringify(owner))
    renameSync(temporary, path)
    // Of two servers that did this at once, the later one has the lock, and both see that now.
    await sleep(SETTLE_MS)
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

/** Returns false if there is a lock already. */
function create(path: string, owner: Owner): boolean {
  try {
    writeFileSync(path, JSON.stringify(owner), { flag: 'wx' })
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
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
