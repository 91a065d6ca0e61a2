import { existsSync, type Stats } from 'node:fs'
import { access, constants, open, readFile, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { MockError } from '../../http/mock-error.ts'
import { restoreState, type StateSummary, writeState } from '../../sandbox/state-document.ts'
import type { Mock } from '../../service/create-mock.ts'
import { toService } from '../../service/mock-service.ts'
import { toFileReason } from '../files.ts'
import { UsageError } from '../io.ts'
import { LockHeldError, type StateLock, takeStateLock } from './state-lock.ts'

/** The file of `--state`, locked by this process until it is closed. */
export interface StateFile {
  /** The path as the user wrote it. */
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
  /** Releases the lock. */
  close(): void
}

interface StateFileOptions {
  /** Called after every save. */
  readonly onSave?: (path: string, summary: StateSummary) => void
}

/** @throws {UsageError} if the file cannot be written, or another server holds it. */
export async function openStateFile(path: string, { onSave }: StateFileOptions = {}): Promise<StateFile> {
  const target = await findTarget(path)
  const lock = await takeLock(path, target)
  // A killed save has left it behind, or somebody has put a link in its place.
  await rm(toTemporary(target), { force: true }).catch(() => {})
  let mock: Mock | undefined
  /** Whether there are changes that neither the file nor the running save contains. */
  let isBehind = false
  let running: Promise<void> | undefined
  /** The save after the running one, shared by all calls made meanwhile. */
  let next: Promise<void> | undefined

  async function write(): Promise<void> {
    if (mock === undefined) return
    const { text, summary } = writeState(toService(mock).sandboxes)
    isBehind = false
    try {
      await replaceFile(target, text)
    } catch (cause) {
      isBehind = true
      const sentence = `Failed to save the state: ${path} cannot be written (${toFileReason(cause)}). The file still holds the state of the last save.`
      throw new MockError('STATE_SAVE', sentence, { cause })
    }
    onSave?.(path, summary)
  }

  return {
    path,
    async load(owner) {
      const summary = await loadFile(target, { path, owner })
      isBehind = summary === undefined
      owner.onChange(() => {
        isBehind = true
      })
      mock = owner
      return summary
    },
    save() {
      // Somebody may have removed the file.
      if (!isBehind && (running !== undefined || existsSync(target))) return running ?? Promise.resolve()
      next ??= (running ?? Promise.resolve())
        .catch(() => {})
        .then(() => {
          next = undefined
          running = write().finally(() => {
            running = undefined
          })
          return running
        })
      return next
    },
    close: () => lock.release(),
  }
}

async function takeLock(path: string, target: string): Promise<StateLock> {
  const lockPath = `${target}.lock`
  try {
    return await takeStateLock(lockPath)
  } catch (cause) {
    if (!(cause instanceof LockHeldError)) throw toError(path, toFileReason(cause), cause)
    throw new UsageError(
      `--state: ${path} is in use by ${cause.message}. Stop that server, or use another file here. (Lock file: ${lockPath})`,
      { cause },
    )
  }
}

async function loadFile(
  target: string,
  { path, owner }: { path: string; owner: Mock },
): Promise<StateSummary | undefined> {
  try {
    return restoreState(await readFile(target, 'utf8'), { sandboxes: toService(owner).sandboxes, origin: path })
  } catch (cause) {
    if (cause instanceof MockError) throw new UsageError(`--state: ${cause.message}.`, { cause })
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UsageError(`--state: ${path} cannot be read (${toFileReason(cause)}).`, { cause })
  }
}

function toTemporary(target: string): string {
  return `${target}.tmp`
}

/** Renames a complete new file over the old one, because a rename is atomic. */
async function replaceFile(path: string, text: string): Promise<void> {
  const old = await statIfThere(path)
  const temporary = toTemporary(path)
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
  // A folder that cannot be opened or flushed does not undo the save.
  await flushFolder(dirname(path)).catch(() => {})
}

/** The rename itself must reach the disk too. Windows cannot open a folder, and some file systems cannot flush one. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

/**
 * Resolves a path to its file. Follows symbolic links, even to a file that does not exist yet.
 * @throws {UsageError} if the file cannot be written.
 */
async function findTarget(path: string): Promise<string> {
  try {
    const target = await followLinks(resolve(path))
    const stats = await statIfThere(target)
    if (stats === undefined) return target
    if (stats.isDirectory()) throw toError(path, 'it is a folder')
    if (!stats.isFile()) throw toError(path, 'it is not a regular file')
    if (await isMountPoint(target)) throw toError(path, 'it is a mount point; mount its folder instead')
    await access(target, constants.W_OK)
    return target
  } catch (error) {
    throw error instanceof UsageError ? error : toError(path, toFileReason(error), error)
  }
}

async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const link = await readlink(path).catch(() => undefined)
  if (link !== undefined) return followLinks(resolve(dirname(path), link))
  try {
    return join(await realpath(dirname(path)), basename(path))
  } catch (cause) {
    throw toError(path, `the folder ${dirname(path)}: ${toFileReason(cause)}`)
  }
}

function toError(path: string, reason: string, cause?: unknown): UsageError {
  return new UsageError(`--state: ${path} cannot be written (${reason}).`, { cause })
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

/** Containers can mount a single file. A rename cannot replace a mount point. */
async function isMountPoint(file: string): Promise<boolean> {
  const mounts = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  // The fifth field is the mount point, with blanks in octal: https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html.
  return mounts.split('\n').some((line) => line.split(' ')[4] === file.replaceAll(' ', '\\040'))
}
