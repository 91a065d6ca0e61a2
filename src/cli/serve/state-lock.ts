import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** Keeps other servers away from a state file while this one runs. */
export interface StateLock {
  /** The server that took over the lock; `undefined` while this one holds it. */
  findThief(): Promise<string | undefined>
  release(): Promise<void>
}

/** A live server holds the lock. */
export class LockHeldError extends Error {
  /** The holder, such as `process 4711 on build-7`. */
  readonly owner: string

  constructor(owner: string) {
    super(`The lock is held by ${owner}`)
    this.owner = owner
  }
}

/** The content of a lock file: the server that holds it. */
interface Owner {
  readonly token: string
  readonly pid: number
  readonly host: string
  /** The scope in which a process id is unique: one boot of a machine, and a container on it. */
  readonly space: string
  /** When the process started, to tell it from a later process with the same id; empty if the system does not say. */
  readonly started: string
}

/** Heartbeat interval of a lock's owner, in milliseconds. */
const BEAT_MS = 1_000
/** How long a server waits for a rival that replaces the same stale lock, in milliseconds. */
const SETTLE_MS = 100

interface LockOptions {
  /**
   * How long to watch for a heartbeat if the owner's process is not visible, in milliseconds.
   * @default 5000
   */
  readonly patience?: number
  /**
   * Polling interval meanwhile, in milliseconds.
   * @default 200
   */
  readonly poll?: number
}

/**
 * Takes the lock. The lock of a killed server is replaced: at once if its process is visible from here, or after five
 * seconds without a heartbeat if it is on another machine or in another container.
 * @throws {LockHeldError}
 */
export async function takeStateLock(path: string, options: LockOptions = {}): Promise<StateLock> {
  const owner = await createOwner()
  while (!(await create(path, owner))) {
    const found = await readLock(path)
    if (found === undefined) continue
    if (found.token === owner.token) break
    if ((await isRunning(found)) ?? (await isBeating(path, options))) throw new LockHeldError(describe(found))
    if (replace(path, { found, owner })) await sleep(SETTLE_MS)
  }
  const timer = setInterval(() => void beat(path), BEAT_MS)
  timer.unref()
  return {
    async findThief() {
      // Recreates a lock file that somebody deleted.
      while (!(await create(path, owner))) {
        const found = await readLock(path)
        if (found !== undefined) return found.token === owner.token ? undefined : describe(found)
      }
      return undefined
    },
    async release() {
      clearInterval(timer)
      const found = await readLock(path)
      if (found?.token === owner.token) await rm(path, { force: true })
    },
  }
}

async function createOwner(): Promise<Owner> {
  return {
    token: randomUUID(),
    pid: process.pid,
    host: hostname(),
    space: await readSpace(),
    started: (await readStart(process.pid)) ?? '',
  }
}

/** Returns false if there is a lock already. */
async function create(path: string, owner: Owner): Promise<boolean> {
  try {
    await writeFile(path, toText(owner), { flag: 'wx' })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** `undefined` if there is no lock. */
async function readLock(path: string): Promise<Partial<Owner> | undefined> {
  try {
    return parseLock(await readFile(path, 'utf8'))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** A foreign or half-written lock has an unknown owner. */
function parseLock(text: string): Partial<Owner> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function toText(owner: Owner): string {
  return `${JSON.stringify(owner)}\n`
}

/** Whether the owner's process runs; `undefined` if it is not visible from here. */
async function isRunning({ pid, space, started }: Partial<Owner>): Promise<boolean | undefined> {
  if (pid === undefined || space !== (await readSpace())) return undefined
  if (!hasProcess(pid)) return false
  const present = await readStart(pid)
  return present === undefined || started === '' ? undefined : present === started
}

/** Whether the lock's modification time changes. That works even if the clocks of two machines differ. */
async function isBeating(path: string, { patience = 5_000, poll = 200 }: LockOptions): Promise<boolean> {
  const first = await readTime(path)
  for (let waited = 0; waited < patience; waited += poll) {
    await sleep(poll)
    if ((await readTime(path)) !== first) return true
  }
  return false
}

/**
 * Replaces a stale lock if it is still there. If two servers do so at once, the later one wins, which both see when they
 * read the lock again. The calls are synchronous, to leave no time between the check and the change.
 */
function replace(path: string, { found, owner }: { found: Partial<Owner>; owner: Owner }): boolean {
  try {
    if (parseLock(readFileSync(path, 'utf8')).token !== found.token) return false
    const temporary = `${path}.${process.pid}.tmp`
    writeFileSync(temporary, toText(owner))
    renameSync(temporary, path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

async function beat(path: string): Promise<void> {
  const now = new Date()
  // Saving the state reports a deleted lock or a missing disk.
  await utimes(path, now, now).catch(() => {})
}

async function readTime(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

/** Linux identifies the boot and the container: https://man7.org/linux/man-pages/man7/namespaces.7.html. */
async function readSpace(): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** The 22nd field of https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, in ticks since boot. */
async function readStart(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The second field is the program's name in parentheses, which may contain anything.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19]
}

function describe({ pid, host }: Partial<Owner>): string {
  return pid === undefined ? 'another server' : `process ${pid} on ${host}`
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code
}
