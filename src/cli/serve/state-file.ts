import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { MockError } from '../../http/mock-error.ts'
import { createStateReader } from '../../sandbox/read-state-document.ts'
import { type StateSummary, writeStateDocument } from '../../sandbox/state-document.ts'
import type { Mock } from '../../service/create-mock.ts'
import { toService } from '../../service/mock-service.ts'
import { UsageError } from '../io.ts'
import { toFileReason } from '../to-file-reason.ts'
import { LockHeldError, type StateLock, takeStateLock } from './state-lock.ts'
import { findStateFile, removeLeftovers, statIfThere, toError, toTemporary } from './state-path.ts'

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
  close(): Promise<void>
}

interface StateFileOptions {
  /** Called after every save. */
  readonly onSave?: (path: string, summary: StateSummary) => void
}

/** @throws {UsageError} if the file cannot be written, or another server holds it. */
export async function openStateFile(path: string, { onSave }: StateFileOptions = {}): Promise<StateFile> {
  const target = await findStateFile(path)
  const lock = await takeLock(path, target)
  await removeLeftovers(target)
  let mock: Mock | undefined
  /** Whether there are changes that neither the file nor the running save contains. */
  let isBehind = false
  let running: Promise<void> | undefined
  /** The save after the running one, shared by all calls made meanwhile. */
  let next: Promise<void> | undefined

  async function write(): Promise<void> {
    if (mock === undefined) return
    const { summary, lines } = writeStateDocument(toService(mock).sandboxes)
    isBehind = false
    try {
      await replaceFile(target, { lines, lock })
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
      const summary = await readFile(target, { path, owner })
      isBehind = summary === undefined
      owner.onChange(() => {
        isBehind = true
      })
      mock = owner
      return summary
    },
    save() {
      if (!isBehind) return running ?? Promise.resolve()
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
    // A lock that cannot be removed is that of a dead process soon, which the next server replaces.
    close: () => lock.release().catch(() => {}),
  }
}

async function takeLock(path: string, target: string): Promise<StateLock> {
  const lockPath = `${target}.lock`
  try {
    return await takeStateLock(lockPath)
  } catch (cause) {
    if (!(cause instanceof LockHeldError)) throw toError(path, toFileReason(cause), cause)
    throw new UsageError(
      `--state: ${path} is in use by ${cause.owner}. Stop that server, or use another file here. (Lock file: ${lockPath})`,
      { cause },
    )
  }
}

async function readFile(
  target: string,
  { path, owner }: { path: string; owner: Mock },
): Promise<StateSummary | undefined> {
  const reader = createStateReader({ sandboxes: toService(owner).sandboxes, origin: path })
  const stream = createReadStream(target, { encoding: 'utf8', highWaterMark: READ_PIECE })
  try {
    for await (const text of stream) reader.push(text as string)
    return reader.finish()
  } catch (cause) {
    // Each line names a problem.
    if (cause instanceof MockError) throw new UsageError(cause.message.replaceAll(/^/gm, '--state: '), { cause })
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UsageError(`--state: ${path} cannot be read (${toFileReason(cause)}).`, { cause })
  }
}

/** Chunk size when saving, in characters. Requests are answered between two chunks. */
const WRITTEN_PIECE = 262_144
/** Chunk size when loading, in bytes. */
const READ_PIECE = 1_048_576

interface Replacement {
  readonly lines: Iterable<string>
  readonly lock: StateLock
}

/** Renames a complete new file over the old one, because a rename is atomic. */
async function replaceFile(path: string, { lines, lock }: Replacement): Promise<void> {
  const old = await statIfThere(path)
  const temporary = toTemporary(path)
  try {
    const file = await open(temporary, 'wx', old === undefined ? 0o666 : old.mode & 0o777)
    try {
      await writeLines(file, lines)
      if (old !== undefined) {
        // Only root may change the owner.
        await file.chown(old.uid, old.gid).catch(() => {})
        await file.chmod(old.mode & 0o7777)
      }
      await file.sync()
    } finally {
      await file.close()
    }
    const thief = await lock.findThief()
    if (thief !== undefined) throw new Error(`${thief} has taken it over`)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
  await flushFolder(dirname(path))
}

async function writeLines(file: FileHandle, lines: Iterable<string>): Promise<void> {
  let text = ''
  for (const line of lines) {
    text += line
    if (text.length < WRITTEN_PIECE) continue
    await file.writeFile(text)
    text = ''
  }
  await file.writeFile(text)
}

/** The rename itself must reach the disk too. Windows cannot open a folder, and some file systems cannot flush one. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error
  } finally {
    await folder.close()
  }
}
