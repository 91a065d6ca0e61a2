import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { access, constants, open, readFile, readlink, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MockError } from '../../http/mock-error.ts'
import { restoreState, type StateSummary, writeState } from '../../sandbox/state-document.ts'
import type { Mock } from '../../service/create-mock.ts'
import { toService } from '../../service/mock.ts'
import { UsageError } from '../command.ts'
import { attempt, hasErrorCode, toFileError } from '../files.ts'

/** The file of `--state`, locked by this process until it is closed. */
export interface StateFile {
  readonly path: string
  /**
   * Restores the state in the file, and tracks changes from then on.
   * @returns `undefined` if there is no file yet.
   * @throws {UsageError} if it is not a state file.
   */
  load(mock: Mock): Promise<StateSummary | undefined>
  /**
   * Resolves when the file on disk contains every change made before the call; free if nothing changed. At any moment
   * the file contains either the old or the new state.
   * @throws {MockError} `STATE_SAVE` naming the file and the reason; the file then contains the old state.
   */
  save(): Promise<void>
  close(): void
}

type SaveListener = (path: string, summary: StateSummary) => void

/** @throws {UsageError} if the file cannot be written, or another server holds it. */
export async function openStateFile(path: string, { onSave }: { onSave?: SaveListener } = {}): Promise<StateFile> {
  const name = `--state: ${path}`
  const target = await findTarget(path).catch((cause) => {
    throw toFileError(name, 'written', cause)
  })
  const { isLost, release } = await takeLock(`${target}.lock`, name)
  // A killed save has left it behind, or somebody has put a link in its place.
  const temporary = `${target}.tmp`
  await rm(temporary, { force: true }).catch(() => {})
  let mock: Mock | undefined
  /** Whether there are changes that the file does not contain. */
  let isBehind = false
  let lastSave: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    // Somebody may have removed the file.
    if (mock === undefined || (!isBehind && existsSync(target))) return
    const reason = `Failed to save the state: another server has used ${path} since. Give each server a file of its own.`
    const { text, summary } = writeState(toService(mock).sandboxes)
    isBehind = false
    try {
      if (isLost()) throw new MockError('STATE_SAVE', reason)
      await replaceFile(target, { temporary, text })
    } catch (cause) {
      isBehind = true
      if (cause instanceof MockError) throw cause
      const sentence = `Failed to save the state: ${path} cannot be written (${(cause as Error).message}). The file still holds the state of the last save.`
      throw new MockError('STATE_SAVE', sentence, { cause })
    }
    onSave?.(path, summary)
  }

  function restore(text: string, owner: Mock): StateSummary {
    try {
      return restoreState(text, { sandboxes: toService(owner).sandboxes, origin: path })
    } catch (cause) {
      throw cause instanceof MockError ? new UsageError(`--state: ${cause.message}.`, { cause }) : cause
    }
  }

  return {
    path,
    async load(owner) {
      const text = await readFile(target, 'utf8').catch((cause) => {
        if (hasErrorCode(cause, 'ENOENT')) return undefined
        throw toFileError(name, 'read', cause)
      })
      const summary = text === undefined ? undefined : restore(text, owner)
      isBehind = summary === undefined
      owner.onChange(() => (isBehind = true))
      mock = owner
      return summary
    },
    save() {
      lastSave = lastSave.catch(() => {}).then(write)
      return lastSave
    },
    close: release,
  }
}

/** Renames a complete new file over the old one, because a rename is atomic. */
async function replaceFile(path: string, { temporary, text }: { temporary: string; text: string }): Promise<void> {
  const old = statSync(path, { throwIfNoEntry: false })
  try {
    await rm(temporary, { force: true })
    const file = await open(temporary, 'wx', old === undefined ? 0o666 : old.mode & 0o777)
    try {
      await file.writeFile(text)
      if (old !== undefined) {
        // Only root may change the owner.
        await file.chown(old.uid, old.gid).catch(() => {})
        await file.chmod(old.mode & 0o7777)
      }
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    // The first failure is the one to report, also where the folder has become read-only.
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
  // The rename itself must reach the disk too. Windows cannot open a folder, and some file systems cannot flush one.
  const folder = await open(dirname(path), 'r').catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}

/** Resolves a path to its file, which need not exist yet. Throws if it cannot be replaced. */
async function findTarget(path: string): Promise<string> {
  const target = await followLinks(resolve(path))
  const stats = statSync(target, { throwIfNoEntry: false })
  if (stats === undefined) return target
  if (!stats.isFile()) throw new Error('it is not a regular file')
  if (await isMountPoint(target)) throw new Error('it is a mount point; mount its folder instead')
  await access(target, constants.W_OK)
  return target
}

async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error
  }
  const link = await readlink(path).catch(() => undefined)
  if (link !== undefined) return followLinks(resolve(dirname(path), link))
  return join(await realpath(dirname(path)), basename(path))
}

/** Containers can mount a single file. A rename cannot replace a mount point. */
async function isMountPoint(file: string): Promise<boolean> {
  const mounts = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  // The fifth field is the mount point, with blanks in octal: https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html.
  return mounts.split('\n').some((line) => line.split(' ')[4] === file.replaceAll(' ', '\\040'))
}

interface Owner {
  readonly pid: number
  readonly life?: string | undefined
  readonly token: string
}

/**
 * Keeps other servers of this machine away from a state file. The lock of a process that has ended is replaced.
 * @param name The flag and the path, for the message.
 * @returns Functions that release the lock, and that tell whether another container has replaced it.
 * @throws {UsageError} naming the process that holds the lock.
 */
export async function takeLock(lock: string, name: string): Promise<{ isLost: () => boolean; release: () => void }> {
  const owner: Owner = { pid: process.pid, life: readLife(process.pid), token: randomUUID() }
  const isLost = (): boolean => readOwner(lock)?.token !== owner.token
  const temporary = `${lock}.${owner.token}.tmp`
  try {
    writeFileSync(temporary, JSON.stringify(owner))
    // Linked, so that nobody sees a lock without its content.
    if (!tryToLink(temporary, lock) && !isHeld(lock)) {
      renameSync(temporary, lock)
      // Of two servers that did this at once, the later one has the lock, and both see that now.
      await sleep(100)
    }
  } catch (cause) {
    throw toFileError(name, 'written', cause)
  } finally {
    rmSync(temporary, { force: true })
  }
  if (isLost())
    throw new UsageError(
      `${name} is in use by process ${readOwner(lock)?.pid}. Stop that server, or use another file here. (Lock file: ${lock})`,
    )
  // A lock that stays is soon that of a process that has ended, which the next server replaces.
  return { isLost, release: () => attempt(() => !isLost() && rmSync(lock)) }
}

/** Returns whether there was no file yet. */
function tryToLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false
    throw error
  }
}

/** `undefined` if there is no lock, or none that this release has written. Throws if it cannot be read. */
function readOwner(lock: string): Owner | undefined {
  const read = (): string => readFileSync(lock, 'utf8')
  const text = attempt(read) ?? (existsSync(lock) ? read() : '')
  const owner = attempt(() => JSON.parse(text) as Owner | null)
  return Number.isInteger(owner?.pid) ? (owner ?? undefined) : undefined
}

/**
 * Whether the process that wrote the lock is running. Those of other containers cannot be seen, so their locks are replaced:
 * otherwise a container that was killed could not start again.
 */
function isHeld(lock: string): boolean {
  const owner = readOwner(lock)
  if (owner === undefined) return false
  const life = readLife(owner.pid)
  if (life !== undefined && owner.life !== undefined) return life === owner.life
  try {
    return process.kill(owner.pid, 0)
  } catch (error) {
    return hasErrorCode(error, 'EPERM')
  }
}

/** When a process started, and in which boot. Another may have its id later. `undefined` where the system does not tell. */
function readLife(pid: number): string | undefined {
  const read = (file: string): string | undefined => attempt(() => readFileSync(file, 'utf8'))
  // The 22nd field, behind a name in parentheses: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html.
  const started = read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ')[19]
  return started && `${started} ${read('/proc/sys/kernel/random/boot_id')}`
}
