import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Mock } from '../../service/create-mock.ts'
import { UsageError } from '../io.ts'
import { toReason } from '../read-fixture.ts'

/** The file of `--state`. */
export interface StateFile {
  /** Takes up what the file holds; a file that is not there yet is an empty beginning. Follows the changes from then on. */
  load(service: StateOwner): Promise<void>
  /**
   * Resolves when the file on the disk holds every change that was made before the call. Costs nothing where it does
   * already. Whatever happens meanwhile, the file holds the old state or the new.
   */
  save(): Promise<void>
}

/** Whose state the file keeps. */
export type StateOwner = Pick<Mock, 'exportState' | 'importState' | 'onChange'>

export function createStateFile(path: string): StateFile {
  let owner: StateOwner | undefined
  /** Whether the file lacks something, as far as no running save brings it. */
  let isBehind = false
  /** The save under way. */
  let running: Promise<void> | undefined
  /** The save that comes after it, for all who asked meanwhile. */
  let next: Promise<void> | undefined

  async function write(): Promise<void> {
    if (owner === undefined) return
    isBehind = false
    try {
      await replaceFile(path, owner.exportState())
    } catch (error) {
      isBehind = true
      throw error
    }
  }

  return {
    async load(service) {
      const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
        if (cause.code === 'ENOENT') return undefined
        throw new UsageError(`--state: ${path} cannot be read (${toReason(cause)}).`, { cause })
      })
      if (text !== undefined) service.importState(text, path)
      isBehind = text === undefined
      service.onChange(() => {
        isBehind = true
      })
      owner = service
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
  }
}

/** A new file takes the old one's place when it is whole on the disk: a name changes at once or not at all. */
async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    await writeWhole(temporary, text)
    await rename(temporary, path)
    await flushFolder(dirname(path))
  } catch (cause) {
    await rm(temporary, { force: true })
    throw new UsageError(`--state: ${path} cannot be written (${toReason(cause)}).`, { cause })
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The name itself has to reach the disk too. Windows cannot open a folder, and does without. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
