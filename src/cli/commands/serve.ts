import { once } from 'node:events'
import { inspect } from 'node:util'
import { DEFAULT_API_KEY } from '../../auth/authenticator.ts'
import { VERSION } from '../../contract/version.ts'
import { toPathBelow } from '../../http/base-url.ts'
import { isControlPath } from '../../http/control-path.ts'
import { hideInAddress } from '../../http/hide-credentials.ts'
import { MockError } from '../../http/mock-error.ts'
import { type QuantityRange, WIDEST_RANGE } from '../../inventory/pet.ts'
import { PROFILE } from '../../inventory/profile.ts'
import { matchOperation } from '../../operations/operations.ts'
import {
  type RequestLogEntry,
  type RunningServer,
  type ServeOptions,
  serve as serveOverTcp,
} from '../../runtimes/server.ts'
import { createMock, type Mock } from '../../service/create-mock.ts'
import { toService } from '../../service/mock.ts'
import type { MockOptions } from '../../service/mock-options.ts'
import { generateFixture } from '../../store/generate-fixture.ts'
import { isShippedFixture } from '../../store/seed.ts'
import { type Command, type Io, openPage, UsageError, WRONG_USE } from '../command.ts'
import { loadFile, readBytes, readFixture } from '../files.ts'
import type { Flags, ServerFlags } from '../options.ts'
import { loadHandlers, loadStubs, watchFiles } from '../serve/load-files.ts'
import { createServeLog, explainRejection, type Listening, type ServeLog } from '../serve/serve-log.ts'
import { openStateFile, type StateFile } from '../serve/state-file.ts'
import { writeProblem } from '../terminal.ts'

export const serve: Command<Flags<'serve'>> = {
  summary: 'serve the mock (the default command)',
  examples: [
    ['serve --fixture low-stock', 'start on port 4100 with another inventory'],
    ['serve -p 0 --log json', 'pick a free port and print the URL as JSON'],
    ['serve --base-url /api/v1', 'serve the API at http://127.0.0.1:4100/api/v1'],
    ['serve --proxy https://api.petstore.example', 'forward what the specification does not define'],
    ['serve --state state.json', 'keep the state between runs'],
    ['serve -f stock.json --stubs stubs.yaml --watch', 'edit pets and stubs while the server runs'],
  ],
  run(flags, io) {
    return runServer(flags, {
      io,
      log: flags.log === 'silent' ? undefined : createServeLog(flags.log, io),
      async use({ server: { consoleUrl } }) {
        if (flags.open && consoleUrl !== undefined) await openPage(consoleUrl, io)
        else if (flags.open) io.err('--open: the console is off.')
        if (!io.stop.aborted) await once(io.stop, 'abort')
        return 0
      },
    })
  },
}

interface StartedMock {
  readonly service: Mock
  readonly server: RunningServer
  readonly url: string
}

interface RunOptions {
  readonly io: Io
  readonly log: ServeLog | undefined
  readonly use: (started: StartedMock) => Promise<number>
}

/** @throws {UsageError} for flags that cannot be combined. */
function assertCompatible(flags: ServerFlags): void {
  if (flags.watch && flags.stubs === undefined && isShippedFixture(flags.fixture))
    throw new UsageError('--watch needs a fixture file or stubs. Pass one with --fixture or --stubs.')
  if ((flags.tlsCert === undefined) !== (flags.tlsKey === undefined))
    throw new UsageError('--tls-cert and --tls-key must be given together.')
}

/** Serves the mock that the flags describe until `use` settles; resolves to its exit code. */
export async function runServer(flags: ServerFlags, { io, log, use }: RunOptions): Promise<number> {
  assertCompatible(flags)
  const stateFile =
    flags.state === undefined
      ? undefined
      : await openStateFile(flags.state, { onSave: (file, summary) => log?.({ event: 'saved', file, ...summary }) })
  // What a user's handler leaves behind must not end the server with its state unsaved.
  io.catchErrors((error) => writeProblem(io, `an error in the background: ${inspect(error)}`))
  try {
    const started = await start(flags, { log, stateFile })
    const watchers = flags.watch ? watchFiles(flags, { service: started.service, log }) : []
    let isSaved = true
    const code = await use(started).finally(async () => {
      for (const watcher of watchers) watcher.close()
      isSaved = await end(started.server, { io, stateFile })
    })
    return code === 0 && !isSaved ? WRONG_USE : code
  } finally {
    stateFile?.close()
  }
}

async function start(
  flags: ServerFlags,
  { log, stateFile }: { log: ServeLog | undefined; stateFile: StateFile | undefined },
): Promise<StartedMock> {
  const { pets, randomSeed } = flags
  const fixtureName = pets === undefined ? flags.fixture : 'generated'
  const fixture = pets === undefined ? await readFixture(flags.fixture) : generateFixture({ pets, randomSeed })
  const { stubs = [] } = flags.stubs === undefined ? {} : await loadStubs(flags.stubs, flags.baseUrl)
  const profile = flags.profile === undefined ? undefined : await loadFile('--profile', flags.profile, PROFILE)
  assertRange(flags, profile?.quantity)
  const handlers = flags.handlers === undefined ? [] : await loadHandlers(flags.handlers)
  const state = stateFile !== undefined && { saveState: stateFile.save }
  const fixtures = typeof fixture === 'string' ? {} : { [fixtureName]: fixture }
  const own = { fixture: fixtureName, fixtures, stubs, handlers, ...(profile !== undefined && { profile }) }
  const service: Mock = createMock({ ...toMockOptions(flags), ...state, ...own })
  const loaded = await stateFile?.load(service)
  const server = await listen(service, { flags, log })
  const { bases, sandboxes } = toService(service)
  const url = server.url + bases[0].path
  const isOtherFixture = sandboxes.default.state.seed !== sandboxes.seeds.initial
  log?.({
    event: 'listening',
    url,
    port: server.port,
    console: server.consoleUrl,
    noConsole: server.consoleUrl === undefined ? explainNoConsole(flags) : undefined,
    fixture: fixtureName,
    fixturePets: sandboxes.seeds.initial.pets.size,
    pets: service.inventory.size,
    settings: listSettings(flags),
    state: stateFile && { file: stateFile.path, ...loaded, isOtherFixture },
    isOwnKey: service.apiKey !== DEFAULT_API_KEY,
    version: VERSION,
  })
  return { service, server, url }
}

function listSettings({ baseUrl, profile, stubs, handlers, proxy, delay }: ServerFlags): Listening['settings'] {
  const address = proxy === undefined ? undefined : hideInAddress(proxy)
  const time = delay === undefined ? undefined : `${delay} ms`
  // The path alone is part of the server's URL.
  const base = baseUrl.startsWith('/') ? undefined : hideInAddress(baseUrl)
  return { 'base-url': base, profile, stubs, handlers, proxy: address, delay: time }
}

function explainNoConsole({ control, host }: ServerFlags): string {
  return control ? `it needs --control-token because --host ${host} is not loopback` : '--no-control'
}

/** A bound that is not in a flag may be in the profile. @throws {UsageError} */
function assertRange({ quantityMin, quantityMax }: ServerFlags, range: QuantityRange = WIDEST_RANGE): void {
  const min = quantityMin ?? range.min
  const max = quantityMax ?? range.max
  if (min <= max) return
  const lower = quantityMin === undefined ? 'the min of --profile' : '--quantity-min'
  const upper = quantityMax === undefined ? 'the max of --profile' : '--quantity-max'
  throw new UsageError(`${lower} (${min}) is above ${upper} (${max}).`)
}

function toMockOptions(flags: ServerFlags): MockOptions {
  const { anyKey, apiKey, baseUrl, delay, journalSize, prefer, proxy, randomSeed, sunset } = flags
  const keys = anyKey ? { anyKey } : { apiKeys: apiKey }
  const target = proxy && { url: proxy, keys: flags.proxyKeys, origins: flags.proxyOrigin ?? [] }
  const quantity = { min: flags.quantityMin, max: flags.quantityMax }
  const options = { ...keys, baseUrl, proxy: target, quantity, delay, journalSize, prefer, randomSeed, sunset }
  return options as MockOptions
}

async function listen(
  service: Mock,
  { flags, log }: { flags: ServerFlags; log: ServeLog | undefined },
): Promise<RunningServer> {
  const { port, host, control, controlToken, grace, quiet, check } = flags
  const options: ServeOptions = {
    port,
    host,
    control,
    ...(controlToken !== undefined && { controlToken }),
    ...(await readTls(flags)),
    grace,
    ...(!quiet && log !== undefined && { log: createRequestLog(service, log) }),
  }
  if (!check) return serveOverTcp(service, options)
  const { serveChecked } = await import('../../check/serve-checked.ts')
  return serveChecked(service, { ...options, onViolation: (violation) => log?.({ event: 'violation', ...violation }) })
}

async function readTls({ tlsCert, tlsKey }: ServerFlags): Promise<Pick<ServeOptions, 'tls'>> {
  if (tlsCert === undefined || tlsKey === undefined) return {}
  const read = async (path: string, name: string): Promise<string> => (await readBytes(path, name)).toString()
  return {
    tls: { cert: await read(tlsCert, `--tls-cert: ${tlsCert}`), key: await read(tlsKey, `--tls-key: ${tlsKey}`) },
  }
}

/**
 * Notes the first request to each operation that the specification does not call stable. Leaves out what an open console reads all
 * the time.
 */
function createRequestLog(service: Mock, log: ServeLog): (entry: RequestLogEntry) => void {
  const { bases, authenticator } = toService(service)
  const hasDemoKey = authenticator.isOwn(DEFAULT_API_KEY)
  const noted = new Set<string>()
  return (entry) => {
    const match = matchOperation(entry.method, toPathBelow(bases, entry.path))
    if (match.kind === 'found' && !noted.has(match.route.id)) {
      const { id: operation, method, path, stability } = match.route
      noted.add(operation)
      if (stability !== 'stable') log({ event: 'stability', operation, method, path, stability })
    }
    if (isControlPath(entry.path) && entry.method === 'GET' && entry.status === 200) return
    log({ event: 'request', ...entry, hint: explainRejection(entry, hasDemoKey) })
  }
}

/** Resolves to whether the state was saved. */
async function end(
  server: RunningServer,
  { io, stateFile }: { io: Io; stateFile: StateFile | undefined },
): Promise<boolean> {
  // Saves before anything else, since closing may take long. The save at the end retries one that failed.
  const saved = stateFile?.save().catch(() => {})
  if (saved !== undefined) io.hold(saved, 'the state was not saved. The file holds the state of the save before.')
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
