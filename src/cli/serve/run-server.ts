import { inspect } from 'node:util'
import { DEFAULT_API_KEY } from '../../auth/authenticator.ts'
import { hideInAddress } from '../../http/hide-credentials.ts'
import { MockError } from '../../http/mock-error.ts'
import { type RunningServer, type ServeOptions, serve as serveOverTcp } from '../../runtimes/server.ts'
import { createMock, type Mock } from '../../service/create-mock.ts'
import type { MockOptions } from '../../service/mock-options.ts'
import { toService } from '../../service/mock-service.ts'
import { generateFixture } from '../../store/generate-fixture.ts'
import { type Io, WRONG_USE } from '../io.ts'
import { writeProblem } from '../paint.ts'
import { loadProfile } from '../read-data-file.ts'
import { type NamedFixture, readFixture } from '../read-fixture.ts'
import { isLargeInventory, withProgress } from '../with-progress.ts'
import { explainRejection } from './explain-rejection.ts'
import { loadHandlers } from './load-handlers.ts'
import { loadStubs } from './load-stubs.ts'
import { noteStability } from './note-stability.ts'
import { readTls } from './read-tls.ts'
import type { ServerFlags } from './serve-flags.ts'
import type { ServeLog } from './serve-log.ts'
import { openStateFile, type StateFile } from './state-file.ts'
import { watchFiles } from './watch-files.ts'

/** A listening server, and the mock behind it. */
interface ServedMock {
  readonly service: Mock
  readonly server: RunningServer
  /** The URL of the service, with the base path. */
  readonly url: string
}

interface RunOptions {
  readonly io: Io
  readonly log: ServeLog
  /** The server runs until the promise settles. */
  readonly use: (served: ServedMock) => Promise<number>
}

/** Serves the mock that the flags describe until `use` settles; resolves to its exit code. */
export async function runServer(flags: ServerFlags, { io, log, use }: RunOptions): Promise<number> {
  const stateFile = flags.state === undefined ? undefined : await openStateFile(flags.state, { onSave: log.saved })
  // Also gets rejections. What a user's handler leaves behind must not end the server with its state unsaved.
  const goOn = (error: unknown): void => writeProblem(io, `an error in the background: ${inspect(error)}`)
  process.on('uncaughtException', goOn)
  try {
    const served = await start(flags, { io, log, stateFile })
    const watchers = flags.watch ? watchFiles(flags, { service: served.service, log }) : []
    let isSaved = true
    const code = await use(served).finally(async () => {
      for (const watcher of watchers) watcher.close()
      isSaved = await end(served.server, { io, stateFile })
    })
    return code === 0 && !isSaved ? WRONG_USE : code
  } finally {
    stateFile?.close()
    process.off('uncaughtException', goOn)
  }
}

async function start(
  flags: ServerFlags,
  { io, log, stateFile }: { io: Io; log: ServeLog; stateFile: StateFile | undefined },
): Promise<ServedMock> {
  const fixture = await readSeed(flags, log.progress)
  const options = { ...toMockOptions(flags), ...(stateFile !== undefined && { saveState: stateFile.save }) }
  const { stubs = [] } = flags.stubs === undefined ? {} : await loadStubs(flags.stubs, flags.baseUrl)
  const profile = flags.profile === undefined ? {} : await loadProfile(flags.profile)
  const handlers = flags.handlers === undefined ? [] : await loadHandlers(flags.handlers)
  const service: Mock = createMock({
    ...options,
    fixture: fixture.content,
    fixtureName: fixture.name,
    stubs,
    handlers,
    profile,
  })
  const loaded = await withProgress(`Loading ${flags.state}…`, {
    io: { ...io, err: log.progress },
    work: () => stateFile?.load(service),
  })
  const server = await listen(service, { flags, log })
  const url = server.url + toService(service).bases[0].path
  log.listening({
    url,
    port: server.port,
    console: server.consoleUrl,
    noConsole: server.consoleUrl === undefined ? explainNoConsole(flags) : undefined,
    service,
    fixture: fixture.name,
    fixturePets: toService(service).sandboxes.seed.pets.size,
    settings: listSettings(flags),
    state: stateFile && { file: stateFile.path, summary: loaded, isOtherFixture: hasOtherSeed(service) },
  })
  return { service, server, url }
}

function listSettings({ baseUrl, profile, stubs, handlers, proxy, delay }: ServerFlags): readonly [string, string][] {
  const address = proxy === undefined ? undefined : hideInAddress(proxy)
  const time = delay === undefined ? undefined : `${delay} ms`
  // The path alone is part of the server's URL.
  const base = baseUrl.startsWith('/') ? undefined : hideInAddress(baseUrl)
  const settings = { 'base-url': base, profile, stubs, handlers, proxy: address, delay: time }
  return Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== undefined)
}

async function readSeed(
  { fixture, pets, randomSeed }: ServerFlags,
  tell: (line: string) => void,
): Promise<NamedFixture> {
  if (pets === undefined) return readFixture(fixture, tell)
  if (isLargeInventory({ pets })) tell(`Generating ${pets} pets…`)
  return { name: 'generated', content: generateFixture({ pets, randomSeed }) }
}

function explainNoConsole({ control, host }: ServerFlags): string {
  return control ? `it needs --control-token because --host ${host} is not loopback` : '--no-control'
}

function toMockOptions(flags: ServerFlags): MockOptions {
  return {
    ...(flags.anyKey ? { anyKey: true } : { apiKeys: flags.apiKey }),
    baseUrl: flags.baseUrl,
    ...(flags.proxy !== undefined && {
      proxy: { url: flags.proxy, keys: flags.proxyKeys, origins: flags.proxyOrigin ?? [] },
    }),
    quantity: {
      ...(flags.quantityMin !== undefined && { min: flags.quantityMin }),
      ...(flags.quantityMax !== undefined && { max: flags.quantityMax }),
    },
    ...(flags.delay !== undefined && { delay: flags.delay }),
    prefer: flags.prefer,
    randomSeed: flags.randomSeed,
    ...(flags.sunset !== undefined && { sunset: flags.sunset }),
  }
}

async function listen(service: Mock, { flags, log }: { flags: ServerFlags; log: ServeLog }): Promise<RunningServer> {
  const options = {
    port: flags.port,
    host: flags.host,
    control: flags.control,
    ...(flags.controlToken !== undefined && { controlToken: flags.controlToken }),
    ...(await readTls(flags)),
    grace: flags.grace,
    ...(!flags.quiet && toRequestLog(log, { service, flags })),
  }
  if (!flags.check) return serveOverTcp(service, options)
  const { serveChecked } = await import('../../check/serve-checked.ts')
  return serveChecked(service, { ...options, onViolation: log.violation })
}

function toRequestLog(
  { request, unstable }: ServeLog,
  { service, flags }: { service: Mock; flags: ServerFlags },
): Pick<ServeOptions, 'log'> {
  if (request === undefined) return {}
  const { bases, sandboxes } = toService(service)
  const note = noteStability(bases, unstable)
  return {
    log(entry) {
      note(entry)
      const hint = explainRejection(entry, {
        flags,
        hasDemoKey: (sandbox) => sandboxes.open(sandbox).keys.isValid(DEFAULT_API_KEY),
      })
      request(hint === undefined ? entry : { ...entry, hint })
    },
  }
}

/** Resolves to whether the state was saved. */
async function end(
  server: RunningServer,
  { io, stateFile }: { io: Io; stateFile: StateFile | undefined },
): Promise<boolean> {
  // Saves before anything else, since closing may take long. The save at the end retries one that failed.
  const saved = stateFile?.save().catch(() => {})
  if (saved !== undefined) io.hold(saved)
  await server.close()
  try {
    await stateFile?.save()
    return true
  } catch (error) {
    if (!(error instanceof MockError)) throw error
    writeProblem(io, error.message)
    return false
  }
}

function hasOtherSeed(service: Mock): boolean {
  const { sandboxes } = toService(service)
  return sandboxes.default.state.seed !== sandboxes.seed
}
