import { type FSWatcher, readFileSync, statSync, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as v from 'valibot'
import { BASE_URLS } from '../../http/base-url.ts'
import { MockError } from '../../http/mock-error.ts'
import { quote } from '../../http/quote.ts'
import { object, parseOr, read, type Schema, string, toSentence } from '../../http/schema.ts'
import { isUserHandler, type UserHandler } from '../../sandbox/user-handler.ts'
import { type Mock, toService } from '../../service/mock.ts'
import type { HandlersOption } from '../../service/mock-options.ts'
import { createStubs, type FindStub, type ParsedStub, STUBS, type Stub } from '../../service/stubs.ts'
import { listProblems } from '../../store/fixture.ts'
import { isShippedFixture } from '../../store/seed.ts'
import { UsageError } from '../command.ts'
import { attempt, readBytes, readContent, readFixture } from '../files.ts'
import type { ServerFlags } from '../options.ts'
import type { ServeLog } from './serve-log.ts'

/** Loads the module of `--handlers`. */
export async function loadHandlers(path: string): Promise<HandlersOption> {
  const name = `--handlers: ${path}`
  await readBytes(path, name)
  const module = await import(pathToFileURL(resolve(path)).href).catch((cause) => {
    throw new UsageError(`${name} cannot be loaded: ${explainThrown(cause)}`, { cause })
  })
  const { default: standard, handlers = standard } = module as { default?: unknown; handlers?: unknown }
  if (isHandlers(handlers)) return handlers
  if (typeof handlers !== 'function')
    throw new UsageError(
      `${name} must export an array of msw handlers, or a function that returns one, as default or as handlers.`,
    )
  return (mock) => {
    let made: unknown
    try {
      made = handlers(mock)
    } catch (cause) {
      throw new UsageError(`${name}: its function cannot be called: ${explainThrown(cause)}`, { cause })
    }
    if (isHandlers(made)) return made
    throw new UsageError(`${name} must return an array of msw handlers from its function, got ${quote(made)}.`)
  }
}

function isHandlers(value: unknown): value is readonly UserHandler[] {
  return Array.isArray(value) && value.every(isUserHandler)
}

/** A module can throw any value. A module of handlers needs msw, an optional peer dependency that is often missing. */
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
  const origin = `--stubs: ${path}`
  const refuse = (sentence: string): UsageError => new UsageError(`${origin}: ${sentence}`)
  const content = await readContent(path, '--stubs')
  if (Array.isArray(content)) throw refuse('the file must be an object, got a list. Wrap it: { "stubs": [...] }')
  const bases = parseOr(BASE_URLS, baseUrl, { subject: '--base-url', refuse })
  const { output, problems = [] } = { output: undefined, ...read(STUBS_FILE, content) }
  const sentences = problems.map((problem) => toSentence(problem, 'the file'))
  if (output === undefined) throw new UsageError(listProblems(origin, sentences))
  return { stubs: output.stubs, findStub: createStubs(output.stubs, { bases, refuse }) }
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
