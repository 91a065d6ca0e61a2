import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { MockError } from '../../http/mock-error.ts'
import type { Mock } from '../../service/create-mock.ts'
import { UsageError } from '../io.ts'
import { readFixtureFile } from '../read-fixture.ts'
import type { ServeLog } from './serve-log.ts'

/** Debounce in milliseconds, because editors write a file in several steps. */
const QUIET_MS = 50

/** Reloads a fixture file whenever it changes. An invalid file is reported and leaves the state unchanged. */
export function watchFixture(
  path: string,
  { service, log }: { service: Mock; log: ServeLog },
): Pick<FSWatcher, 'close'> {
  const file = resolve(path)
  let timer: NodeJS.Timeout | undefined
  // Watches the folder, because many editors replace the file instead of writing to it.
  const watcher = watch(dirname(file), (_event, name) => {
    if (name !== null && name !== basename(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => void reload(), QUIET_MS)
  })

  async function reload(): Promise<void> {
    try {
      service.reseed(await readFixtureFile(file), path)
      log.reloaded(path, service.inventory.size)
    } catch (error) {
      if (!(error instanceof MockError || error instanceof UsageError)) throw error
      log.refused(error.message)
    }
  }

  return {
    close() {
      clearTimeout(timer)
      watcher.close()
    },
  }
}
