import { constants } from 'node:os'
import { isControlPath } from '../../http/control-path.ts'
import { type Command, INTERRUPTED, type Io, UsageError } from '../command.ts'
import type { Flags, ServerFlags } from '../options.ts'
import { createServeLog, type LogIo, type ServeLog } from '../serve/serve-log.ts'
import { signalTree } from '../signal-tree.ts'
import { writeProblem } from '../terminal.ts'
import { runServer } from './serve.ts'

export const exec: Command<Flags<'exec'> & { '--'?: readonly string[] }> = {
  summary: 'run a command against a server on a free port, exit with its exit code: exec -- npm test',
  examples: [
    ['exec -- npm test', 'tests read PETSTORE_MOCK_URL and PETSTORE_MOCK_API_KEY'],
    ['exec --fixture low-stock --log pretty -- npx playwright test', 'flags of serve go before --'],
  ],
  hasRest: true,
  async run(flags, io) {
    const [program, ...args] = flags['--'] ?? []
    if (program === undefined || program === '')
      throw new UsageError('exec needs a command after --: petstore-mock exec -- npm test')
    let requests = 0
    let accepted = 0
    let rejection: string | undefined
    let usedUrl: string | undefined
    const write = createExecLog(flags, io)
    const log: ServeLog = (event) => {
      // Requests to the control API and the console do not count.
      if (event.event === 'request' && !isControlPath(event.path)) {
        requests += 1
        if (event.error === undefined) accepted += 1
        rejection ??= event.hint
      }
      write?.(event)
    }
    const code = await runServer(flags, {
      io,
      log,
      async use({ url, service }) {
        if (io.stop.aborted) return INTERRUPTED
        const own = { PETSTORE_MOCK_URL: url, PETSTORE_MOCK_API_KEY: service.apiKey }
        const env = { ...io.env, ...own, ...bypassProxy(url, io.env) }
        const exitCode = await runProgram([program, ...args], { env, io })
        usedUrl = url
        return exitCode
      },
    })
    // Only now, because requests are logged when their responses end.
    if (usedUrl === undefined || flags.quiet) return code
    if (requests === 0) writeProblem(io, explainUnused(usedUrl), 'yellow')
    // Tests with a key that is valid may expect a 401.
    else if (code !== 0 && accepted === 0 && rejection !== undefined && flags.log === 'silent')
      writeProblem(io, `a request got 401. ${rejection}.`, 'yellow')
    return code
  },
}

function explainUnused(url: string): string {
  return `no request reached the mock. The command must send its requests to PETSTORE_MOCK_URL (${url}), with the key in PETSTORE_MOCK_API_KEY.`
}

/** Standard output belongs to the command. With `--check`, violations are reported even if the log is silent. */
function createExecLog({ log: format, check }: ServerFlags, io: Io): ServeLog | undefined {
  const { err } = io.isTerminal
  const own: LogIo = { ...io, out: io.err, isTerminal: { out: err, err } }
  if (format !== 'silent') return createServeLog(format, own)
  if (!check) return undefined
  const log = createServeLog('pretty', own)
  return (event) => event.event === 'violation' && log(event)
}

/** No proxy of the environment may answer instead of the mock. Programs read one name or the other. */
function bypassProxy(url: string, { NO_PROXY: upper, no_proxy: lower }: Io['env']): NodeJS.ProcessEnv {
  const host = new URL(url).hostname.replaceAll(/[[\]]/g, '')
  const add = (hosts: string | undefined): string => (hosts === '*' ? hosts : hosts ? `${hosts},${host}` : host)
  return { NO_PROXY: add(upper || lower), no_proxy: add(lower || upper) }
}

type CommandLine = readonly [program: string, ...args: string[]]

/**
 * Runs a program that inherits stdin, stdout and stderr, and forwards signals to it and to what it has started.
 * @returns The program's exit code, or 128 plus the signal number if a signal ended it, as in shells.
 * @throws {UsageError} if the program cannot be started.
 */
async function runProgram(line: CommandLine, { env, io }: { env: NodeJS.ProcessEnv; io: Io }): Promise<number> {
  const { spawn } = await import('node:child_process')
  const { file, rest, isShell } = toSpawnArguments(process.platform, line)
  let release = (): void => {}
  try {
    return await new Promise((resolve, reject) => {
      // Throws some errors, such as a file that is no program, and emits the others.
      const child = spawn(file, rest, { stdio: 'inherit', env, shell: isShell })
      release = io.takeSignals((signal) => passOn(signal, child.pid))
      child.once('error', reject)
      child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal as NodeJS.Signals]))
    })
  } catch (cause) {
    throw toStartError(line[0], cause as NodeJS.ErrnoException)
  } finally {
    release()
  }
}

/** A program cannot be started. The exit codes are those of shells. */
function toStartError(program: string, cause: NodeJS.ErrnoException): UsageError {
  const isMissing = cause.code === 'ENOENT'
  const reason = isMissing ? 'program not found' : cause.message
  return new UsageError(`exec: ${program} cannot be run (${reason}).`, { cause, exitCode: isMissing ? 127 : 126 })
}

/**
 * A terminal sends Ctrl-C to all processes. Forwarding it would send it twice, which makes many programs quit at once.
 * Node does not tell who sent a signal, so a SIGINT from another process is not forwarded either.
 */
function passOn(signal: NodeJS.Signals, pid: number | undefined): void {
  if (pid !== undefined && (signal !== 'SIGINT' || !process.stdin.isTTY)) signalTree(pid, signal)
}

/** On Windows, npm and most npm executables are scripts, which only the shell can start. */
export function toSpawnArguments(
  platform: string,
  [program, ...args]: CommandLine,
): { file: string; rest: readonly string[]; isShell: boolean } {
  if (platform !== 'win32') return { file: program, rest: args, isShell: false }
  return { file: [program, ...args].map(quoteForWindows).join(' '), rest: [], isShell: true }
}

/** Backslashes are special only before a quote: https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments. */
function quoteForWindows(arg: string): string {
  if (/^[\w./:\\@=+-]+$/.test(arg)) return arg
  return `"${arg.replaceAll(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)(\\+)$/, '$1$1')}"`
}
