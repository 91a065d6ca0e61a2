import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Mock } from '../../service.ts'
import { UsageError } from '../io.ts'
import { toReason } from '../read-fixture.ts'

/** The file of `--state`. */
export interface StateFile {
  /** Takes up what the file holds; a file that is not there yet is an empty beginning. */
  load(service: Pick<Mock, 'importState'>): Promise<void>
  /** Resolves when the file is whole on the disk. Whatever happens meanwhile, it holds the old state or the new. */
  save(text: string): Promise<void>
}

export function createStateFile(path: string): StateFile {
  let last: Promise<void> = Promise.resolve()
  return {
    async load(service) {
      const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
        if (cause.code === 'ENOENT') return undefined
        throw new UsageError(`--state: ${path} cannot be read (${toReason(cause)}).`, { cause })
      })
      if (text !== undefined) service.importState(text, path)
    },
    save(text) {
      // One after the other, so that the file ends with the state that was saved last.
      last = last.catch(() => {}).then(() => replaceFile(path, text))
      return last
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
