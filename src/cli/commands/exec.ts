import type { Command } from '../command.ts'
import { INTERRUPTED, type Io, UsageError } from '../io.ts'
import { runServer } from '../serve/run-server.ts'
import { checkTogether, SERVE_OPTIONS, type ServeFlags } from '../serve/serve-flags.ts'
import { createServeLog, type LogIo, type ServeLog } from '../serve/serve-log.ts'

interface ExecFlags extends ServeFlags {
  readonly '--'?: readonly string[]
}

const { open: _, port, grace, log, ...others } = SERVE_OPTIONS

/** `petstore-mock exec`: runs a command with its own server. */
export const exec: Command<ExecFlags> = {
  summary: 'run a command against a server on a free port, exit with its exit code: exec -- npm test',
  options: {
    ...others,
    port: { ...port, default: 0 },
    // The client of any request still in flight has exited.
    grace: { ...grace, default: 0 },
    log: { ...log, default: 'silent', describe: 'log format; logs go to standard error' },
  },
  examples: [
    ['exec -- npm test', 'tests read PETSTORE_MOCK_URL and PETSTORE_MOCK_API_KEY'],
    ['exec --fixture low-stock --log pretty -- npx playwright test', 'flags of serve go before --'],
  ],
  hasConfig: true,
  hasRest: true,
  check: checkTogether,
  async run(flags, io) {
    const [program, ...args] = flags['--'] ?? []
    if (program === undefined || program === '')
      throw new UsageError('exec needs a command after --: petstore-mock exec -- npm test')
    const { runProgram } = await import('../exec/run-program.ts')
    return runServer(flags, {
      io,
      log: createExecLog(flags, toStandardError(io)),
      async use({ url, service }) {
        if (io.stop.aborted) return INTERRUPTED
        const env = { ...io.env, PETSTORE_MOCK_URL: url, PETSTORE_MOCK_API_KEY: service.apiKey }
        return runProgram([program, ...args], { env, io })
      },
    })
  },
}

/** With `--check`, violations are reported even if the log is silent. */
function createExecLog({ log: format, check }: ServeFlags, io: LogIo): ServeLog {
  const log = createServeLog(format, io)
  return check && format === 'silent' ? { ...log, violation: createServeLog('pretty', io).violation } : log
}

/** Standard output belongs to the command. */
function toStandardError(io: Io): LogIo {
  const { err } = io.isTerminal
  return { ...io, out: io.err, isTerminal: { out: err, err } }
}
