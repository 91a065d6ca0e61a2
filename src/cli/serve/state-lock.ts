import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** Keeps other servers from a state file, for as long as this one runs. */
export interface StateLock {
  /** Who holds the file instead, where another server took it over; `undefined` while it is held. */
  findThief(): Promise<string | undefined>
  release(): Promise<void>
}

/** That a server which is alive holds the lock. */
export class LockHeldError extends Error {
  /** Who holds it: `process 4711 on build-7`. */
  readonly owner: string

  constructor(owner: string) {
    super(`The lock is held by ${owner}`)
    this.owner = owner
  }
}

/** Who holds a lock, as it says itself. */
interface Owner {
  readonly token: string
  readonly pid: number
  readonly host: string
  /** Within which a process id names one process: a machine since it was booted, and a container on it. */
  readonly space: string
  /** When the process started, which distinguishes it from a later process with the same id; empty where the system does not say. */
  readonly started: string
}

/** How often the owner of a lock shows that it lives, in milliseconds. */
const BEAT_MS = 1_000
/** How long a server waits for another one that found the same lock at the same time, in milliseconds. */
const SETTLE_MS = 100

export interface LockOptions {
  /**
   * For how long a lock is watched whose owner cannot be looked up, in milliseconds.
   * @default 5000
   */
  readonly patience?: number
  /**
   * How often it is looked at meanwhile, in milliseconds.
   * @default 200
   */
  readonly poll?: number
}

/**
 * Takes the lock. One that a server left behind when it was killed is replaced: at once where its process can be looked
 * up, and after five seconds without a sign of life where it cannot, being on another machine or in another container.
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
      // A lock that somebody has deleted is made again.
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

/** Says whether there was no lock yet. */
async function create(path: string, owner: Owner): Promise<boolean> {
  try {
    await writeFile(path, toText(owner), { flag: 'wx' })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** `undefined` where there is none. */
async function readLock(path: string): Promise<Partial<Owner> | undefined> {
  try {
    return parseLock(await readFile(path, 'utf8'))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** What is no lock of ours, or was not written to its end, is a lock of nobody that is known. */
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

/** Whether the owner's process runs; `undefined` where that cannot be found out from here. */
async function isRunning({ pid, space, started }: Partial<Owner>): Promise<boolean | undefined> {
  if (pid === undefined || space !== (await readSpace())) return undefined
  if (!hasProcess(pid)) return false
  const present = await readStart(pid)
  return present === undefined || started === '' ? undefined : present === started
}

/** Whether the lock's time changes, or the lock itself. The clocks of two machines need not agree for that. */
async function isBeating(path: string, { patience = 5_000, poll = 200 }: LockOptions): Promise<boolean> {
  const first = await readTime(path)
  for (let waited = 0; waited < patience; waited += poll) {
    await sleep(poll)
    if ((await readTime(path)) !== first) return true
  }
  return false
}

/**
 * Puts a lock in the place of the one that was left, where it still lies there. Two servers may do so at once: the later
 * one has it, as both see when they look again. Nothing is waited for between the look and the change.
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
  // A lock that was deleted, or a disk that is gone, shows when the state is saved.
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

/** Linux tells the boot and the container apart, https://man7.org/linux/man-pages/man7/namespaces.7.html. */
async function readSpace(): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** The 22nd field of https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, in ticks since the boot. */
async function readStart(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The second field is the program's name in brackets, and may hold anything.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19]
}

function describe({ pid, host }: Partial<Owner>): string {
  return pid === undefined ? 'another server' : `process ${pid} on ${host}`
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code
}
