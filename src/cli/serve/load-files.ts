import { type FSWatcher, readFileSync, statSync, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as v from 'valibot'
import { BASE_URLS } from '../../http/base-url.ts'
import { MockError } from '../../http/mock-error.ts'
import { quote } from '../../http/quote.ts'
import { object, parseOr, type Schema, string } from '../../http/schema.ts'
import { USER_HANDLERS } from '../../sandbox/user-handler.ts'
import { type Mock, toService } from '../../service/mock.ts'
import type { HandlersOption } from '../../service/mock-options.ts'
import { createStubs, type FindStub, type ParsedStub, STUBS, type Stub } from '../../service/stubs.ts'
import { isShippedFixture } from '../../store/seed.ts'
import { UsageError } from '../command.ts'
import { attempt, loadFile, readBytes, readFixture } from '../files.ts'
import type { ServerFlags } from '../options.ts'
import type { ServeLog } from './serve-log.ts'

/** Loads the module of `--handlers`. */
export async function loadHandlers(path: string): Promise<HandlersOption> {
  const name = `--handlers: ${path}`
  await readBytes(path, name)
  const fail = (cause: unknown): never => {
    throw new UsageError(`${name} cannot be loaded: ${explainThrown(cause)}`, { cause })
  }
  const { default: standard, handlers = standard } = await import(pathToFileURL(resolve(path)).href).catch(fail)
  const refuse = (sentence: string): UsageError => new UsageError(`${name}: ${sentence}`)
  const parse = (value: unknown) => parseOr(USER_HANDLERS, value, { subject: 'the export', refuse })
  if (handlers === undefined)
    throw refuse('exports neither handlers nor a default: an array of msw handlers, or a function that returns one.')
  if (typeof handlers !== 'function') return parse(handlers)
  return (mock) => {
    try {
      return parse(handlers(mock))
    } catch (cause) {
      throw cause instanceof UsageError ? cause : fail(cause)
    }
  }
}

/** A module can throw any value, and what it imports may not be installed. */
function explainThrown(value: unknown): string {
  const message = value instanceof Error ? value.message || value.name : quote(value)
  const [line = ''] = message.split('\n')
  const [, missing] = /Cannot find package '((?:@[^/']+\/)?[^/']+)/.exec(line) ?? []
  return missing === undefined ? line : `${line}. Install it: npm install --save-dev ${missing}`
}

/** A file of stubs. `stubs.schema.json` is generated from it. @internal */
export const STUBS_FILE: Schema<{ readonly stubs: readonly ParsedStub[] }> = object({
  $schema: v.optional(string),
  description: v.optional(v.pipe(string, v.description('One sentence about the purpose of the stubs.'))),
  stubs: v.pipe(STUBS, v.description('Responses to requests that the specification does not show.')),
})

/** Reads and checks the file of `--stubs`. @param baseUrl That of the service, which the paths of stubs leave out. */
export async function loadStubs(
  path: string,
  baseUrl: string,
): Promise<{ stubs: readonly Stub[]; findStub: FindStub | undefined }> {
  const refuse = (sentence: string): UsageError => new UsageError(`--stubs: ${path}: ${sentence}`)
  const { stubs } = await loadFile('--stubs', path, STUBS_FILE)
  const bases = parseOr(BASE_URLS, baseUrl, { subject: '--base-url', refuse })
  return { stubs, findStub: createStubs(stubs, { bases, refuse }) }
}

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
