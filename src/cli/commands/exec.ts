import { type Command, REST } from '../command.ts'
import { INTERRUPTED, type Io, UsageError } from '../io.ts'
import { writeProblem } from '../paint.ts'
import { runServer } from '../serve/run-server.ts'
import { checkTogether, SERVE_OPTIONS, type ServerFlags } from '../serve/serve-flags.ts'
import { createServeLog, type LogIo, type ServeLog } from '../serve/serve-log.ts'

interface ExecFlags extends ServerFlags {
  readonly [REST]?: readonly string[]
}

const { open: _, port, grace, log, quiet, ...others } = SERVE_OPTIONS

/** `petstore-mock exec`: runs a command with its own server. */
export const exec: Command<ExecFlags> = {
  summary: 'run a command against a server on a free port, exit with its exit code: exec -- npm test',
  options: {
    ...others,
    port: { ...port, default: 0 },
    // The client of any request still in flight has exited.
    grace: { ...grace, default: 0 },
    log: { ...log, default: 'silent', describe: 'log format; logs go to standard error' },
    quiet: { ...quiet, describe: 'do not log requests, nor report that none reached the mock' },
  },
  examples: [
    ['exec -- npm test', 'tests read PETSTORE_MOCK_URL and PETSTORE_MOCK_API_KEY'],
    ['exec --fixture low-stock --log pretty -- npx playwright test', 'flags of serve go before --'],
  ],
  hasConfig: true,
  hasRest: true,
  check: checkTogether,
  async run(flags, io) {
    const [program, ...args] = flags[REST] ?? []
    if (program === undefined || program === '')
      throw new UsageError('exec needs a command after --: petstore-mock exec -- npm test')
    const { runProgram } = await import('../exec/run-program.ts')
    let requests = 0
    let unusedUrl: string | undefined
    const log = countRequests(createExecLog(flags, toStandardError(io)), () => {
      requests += 1
    })
    const code = await runServer(flags, {
      io,
      log,
      async use({ url, service }) {
        if (io.stop.aborted) return INTERRUPTED
        const { PETSTORE_MOCK_KEY: _key, ...inherited } = io.env
        const env = { ...inherited, PETSTORE_MOCK_URL: url, PETSTORE_MOCK_API_KEY: service.apiKey }
        const exitCode = await runProgram([program, ...args], { env, io })
        unusedUrl = url
        return exitCode
      },
    })
    // Only now, because requests are logged when their responses end.
    if (unusedUrl !== undefined && requests === 0 && !flags.quiet) writeProblem(io, explainUnused(unusedUrl), 'yellow')
    return code
  },
}

/** Requests to the control API and the console do not count. */
function countRequests(log: ServeLog, count: () => void): ServeLog {
  return {
    ...log,
    request(entry) {
      if (entry.sandbox !== undefined) count()
      log.request?.(entry)
    },
  }
}

function explainUnused(url: string): string {
  return `no request reached the mock. The command must send its requests to PETSTORE_MOCK_URL (${url}), with the key in PETSTORE_MOCK_API_KEY.`
}

/** With `--check`, violations are reported even if the log is silent. */
function createExecLog({ log: format, check }: ServerFlags, io: LogIo): ServeLog {
  const log = createServeLog(format, io)
  return check && format === 'silent' ? { ...log, violation: createServeLog('pretty', io).violation } : log
}

/** Standard output belongs to the command. */
function toStandardError(io: Io): LogIo {
  const { err } = io.isTerminal
  return { ...io, out: io.err, isTerminal: { out: err, err } }
}
