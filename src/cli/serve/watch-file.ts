import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { MockError } from '../../http/mock-error.ts'
import { UsageError } from '../io.ts'

/** Debounce in milliseconds, because editors write a file in several steps. */
const QUIET_MS = 50

interface WatchOptions {
  /** Reads the file and uses it. */
  readonly reload: () => Promise<void>
  /** Reports an invalid file. */
  readonly refused: (message: string) => void
}

/** Calls `reload` whenever a file changes. */
export function watchFile(path: string, { reload, refused }: WatchOptions): Pick<FSWatcher, 'close'> {
  const file = resolve(path)
  let timer: NodeJS.Timeout | undefined
  // Watches the folder, because many editors replace the file instead of writing to it.
  const watcher = watch(dirname(file), (_event, name) => {
    if (name !== null && name !== basename(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => void tryToReload(), QUIET_MS)
  })

  async function tryToReload(): Promise<void> {
    try {
      await reload()
    } catch (error) {
      if (!(error instanceof MockError || error instanceof UsageError)) throw error
      refused(error.message)
    }
  }

  return {
    close() {
      clearTimeout(timer)
      watcher.close()
    },
  }
}
