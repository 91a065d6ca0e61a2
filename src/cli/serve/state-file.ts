import { existsSync, statSync } from 'node:fs'
import { access, constants, mkdir, open, readFile, readlink, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { MockError } from '../../http/mock-error.ts'
import { restoreState, type StateSummary, writeState } from '../../sandbox/state-document.ts'
import type { Mock } from '../../service/create-mock.ts'
import { toService } from '../../service/mock.ts'
import { UsageError } from '../command.ts'
import { hasErrorCode, toFileError } from '../files.ts'
import { takeLock } from './take-lock.ts'

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
  const release = await takeLock(target, name)
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
    const { text, summary } = writeState(toService(mock).sandboxes)
    isBehind = false
    try {
      await replaceFile(target, { temporary, text })
    } catch (cause) {
      isBehind = true
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
    // Somebody may have removed the folder, as `git clean` does.
    await mkdir(dirname(path), { recursive: true })
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
  if (stats?.isFile() === false) throw new Error('it is not a regular file')
  // A save makes a new file in the folder.
  await access(dirname(target), constants.W_OK)
  if (stats !== undefined) await access(target, constants.W_OK)
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
