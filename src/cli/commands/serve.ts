import { once } from 'node:events'
import { type ServeOptions, serve as serveOverTcp } from '../../runtimes/server.ts'
import { createMock, type Mock } from '../../service/create-mock.ts'
import { generateFixture } from '../../store/generate-fixture.ts'
import type { Command } from '../command.ts'
import type { Io } from '../io.ts'
import { openPage } from '../open-page.ts'
import { readFixture } from '../read-fixture.ts'
import { loadHandlers } from '../serve/load-handlers.ts'
import { noteStability } from '../serve/note-stability.ts'
import { readTls } from '../serve/read-tls.ts'
import { checkTogether, SERVE_OPTIONS, type ServeFlags } from '../serve/serve-flags.ts'
import { createServeLog, type ServeLog } from '../serve/serve-log.ts'
import { openStateFile, type StateFile } from '../serve/state-file.ts'
import { watchFixture } from '../serve/watch-fixture.ts'

/** `petstore-mock serve`: the mock as a server, until a signal stops it. */
export const serve: Command<ServeFlags> = {
  summary: 'serve the mock (the default command)',
  options: SERVE_OPTIONS,
  hasConfig: true,
  check: checkTogether,
  async run(flags, io) {
    const log = createServeLog(flags.log, io)
    const stateFile = flags.state === undefined ? undefined : await openStateFile(flags.state, { onSave: log.saved })
    try {
      return await serveUntilStopped(flags, { io, log, stateFile })
    } finally {
      await stateFile?.close()
    }
  },
}

interface Session {
  readonly io: Io
  readonly log: ServeLog
  readonly stateFile: StateFile | undefined
}

async function serveUntilStopped(flags: ServeFlags, { io, log, stateFile }: Session): Promise<number> {
  const { name, content } = flags.pets === undefined ? await readFixture(flags.fixture) : generate(flags)
  const service: Mock = createMock({
    fixture: content,
    fixtureName: name,
    apiKeys: flags.apiKey,
    anyKey: flags.anyKey,
    quantity: {
      ...(flags.quantityMin !== undefined && { min: flags.quantityMin }),
      ...(flags.quantityMax !== undefined && { max: flags.quantityMax }),
    },
    ...(flags.delay !== undefined && { delay: flags.delay }),
    prefer: flags.prefer,
    ...(stateFile !== undefined && { saveState: stateFile.save }),
    randomSeed: flags.randomSeed,
    ...(flags.sunset !== undefined && { sunset: flags.sunset }),
    handlers: flags.handlers === undefined ? [] : await loadHandlers(flags.handlers),
  })
  const loaded = await stateFile?.load(service)
  const options = {
    port: flags.port,
    host: flags.host,
    control: flags.control,
    ...(flags.controlToken !== undefined && { controlToken: flags.controlToken }),
    ...(await readTls(flags)),
    grace: flags.grace,
    ...toRequestLog(log, service),
  }
  const server = flags.check
    ? await (await import('../../check/serve-checked.ts')).serveChecked(service, {
        ...options,
        onViolation: log.violation,
      })
    : await serveOverTcp(service, options)
  const watcher = flags.watch ? watchFixture(flags.fixture, { service, log }) : undefined
  log.listening({
    url: server.url + service.base.path,
    port: server.port,
    console: server.consoleUrl,
    service,
    fixture: name,
    state: stateFile && { file: stateFile.path, summary: loaded, isOtherFixture: hasOtherSeed(service) },
  })
  if (flags.open) await openConsole(server.consoleUrl, io)
  if (!io.stop.aborted) await once(io.stop, 'abort')
  watcher?.close()
  // Saved at once, since nobody knows how long the rest may take. A save that fails is tried again at the end.
  const saved = stateFile?.save().catch(() => {})
  if (saved !== undefined) io.hold(saved)
  await server.close()
  await stateFile?.save()
  return 0
}

function toRequestLog({ request, unstable }: ServeLog, { base }: Pick<Mock, 'base'>): Pick<ServeOptions, 'log'> {
  if (request === undefined) return {}
  const note = noteStability(base.path, unstable)
  return {
    log(entry) {
      note(entry)
      request(entry)
    },
  }
}

function hasOtherSeed({ sandboxes }: Pick<Mock, 'sandboxes'>): boolean {
  return sandboxes.default.state.seed !== sandboxes.seed
}

function generate({ pets = 0, randomSeed }: ServeFlags): { name: string; content: ReturnType<typeof generateFixture> } {
  return { name: 'generated', content: generateFixture({ pets, randomSeed }) }
}

async function openConsole(url: string | undefined, io: Io): Promise<void> {
  if (url === undefined) return io.err('--open: there is no console beyond loopback without --control-token.')
  await openPage(url, io)
}
