import { type FSWatcher, readFileSync, statSync, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { MockError } from '../../http/mock-error.ts'
import type { Mock } from '../../service/create-mock.ts'
import { toService } from '../../service/mock.ts'
import { isShippedFixture } from '../../store/seed.ts'
import { UsageError } from '../command.ts'
import { readFixture } from '../data-file.ts'
import { attempt } from '../files.ts'
import type { ServerFlags } from '../options.ts'
import { loadStubs } from './load-files.ts'
import type { ServeLog } from './serve-log.ts'

/** Debounce in milliseconds, because editors write a file in several steps. */
const QUIET_MS = 50

type Watcher = Pick<FSWatcher, 'close'>

/** Reloads the files of `--fixture` and `--stubs` when they change. An invalid file changes nothing. */
export function watchFiles(
  { fixture, stubs, baseUrl }: Pick<ServerFlags, 'fixture' | 'stubs' | 'baseUrl'>,
  { service, log }: { service: Mock; log: ServeLog | undefined },
): Watcher[] {
  const watchers: Watcher[] = []
  if (!isShippedFixture(fixture)) {
    const reload = async () => {
      service.reseed(await readFixture(fixture), fixture)
      log?.({ event: 'reloaded', fixture, pets: service.inventory.size })
    }
    watchers.push(watchFile(fixture, { reload, kept: 'state', log }))
  }
  if (stubs !== undefined) {
    const reload = async () => {
      const loaded = await loadStubs(stubs, baseUrl)
      toService(service).setStubs(loaded.findStub)
      log?.({ event: 'reloaded', file: stubs, stubs: loaded.stubs.length })
    }
    watchers.push(watchFile(stubs, { reload, kept: 'stubs', log }))
  }
  return watchers
}

interface WatchOptions {
  readonly reload: () => Promise<void>
  /** What stays if the file is invalid. */
  readonly kept: 'state' | 'stubs'
  readonly log: ServeLog | undefined
}

/** Calls `reload` whenever the content of a file changes. Nothing is loaded, and so nothing lost, if it is the same. */
export function watchFile(path: string, { reload, kept, log }: WatchOptions): Watcher {
  const file = resolve(path)
  let timer: NodeJS.Timeout | undefined
  let loaded = readText(file)
  // Watches the folder, because many editors replace the file instead of writing to it.
  const watcher = watch(dirname(file), (_event, name) => {
    if (name !== null && name !== basename(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => void tryToReload(), QUIET_MS)
  })

  async function tryToReload(): Promise<void> {
    const text = readText(file)
    if (text !== undefined && text === loaded) return
    try {
      await reload()
      loaded = text
    } catch (error) {
      if (!(error instanceof MockError || error instanceof UsageError)) throw error
      log?.({ event: 'refused', message: error.message, kept })
    }
  }

  return {
    close() {
      clearTimeout(timer)
      watcher.close()
    },
  }
}

/** `undefined` if there is no such file, or a pipe, which can be read only once. */
function readText(file: string): string | undefined {
  return attempt(() => (statSync(file).isFile() ? readFileSync(file, 'utf8') : undefined))
}
