import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { type Io, UsageError } from '../io.ts'
import { toFileReason } from '../to-file-reason.ts'

/** A program with its arguments. */
type CommandLine = readonly [program: string, ...args: string[]]

/**
 * Runs a program that inherits stdin, stdout and stderr, and forwards signals to it.
 * @returns The program's exit code, or 128 plus the signal number if a signal ended it, as in shells.
 * @throws {CommandNotRun} if the program cannot be started.
 */
export async function runProgram(
  [program, ...args]: CommandLine,
  { env, io }: { env: NodeJS.ProcessEnv; io: Io },
): Promise<number> {
  const { file, rest, isShell } = toSpawnArguments(process.platform, [program, ...args])
  const child = start(program, () => spawn(file, rest, { stdio: 'inherit', env, shell: isShell }))
  const release = io.takeSignals((signal) => passOn(signal, child))
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', (cause: NodeJS.ErrnoException) => reject(new CommandNotRun(program, cause)))
      child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal as NodeJS.Signals]))
    })
  } finally {
    release()
  }
}

/** spawn throws some errors, such as a file that is no program, and emits the others. */
function start(program: string, run: () => ChildProcess): ChildProcess {
  try {
    return run()
  } catch (cause) {
    throw new CommandNotRun(program, cause as NodeJS.ErrnoException)
  }
}

function explainMissing(program: string): string {
  if (program.startsWith('-')) return 'Flags of petstore-mock go before the --.'
  // Without its quotes, the user's own shell would run what follows an operator.
  if (/[|&;<>$`]/.test(program)) return `Run it in a shell: exec -- sh -c '${program}'`
  if (/\s/.test(program)) return `Leave out the quotes: exec -- ${program}`
  return 'Check its spelling, and that it is installed.'
}

/** A program cannot be started. The exit codes are those of shells. */
class CommandNotRun extends UsageError {
  override readonly exitCode: number

  constructor(program: string, cause: NodeJS.ErrnoException) {
    const isMissing = cause.code === 'ENOENT'
    super(
      isMissing
        ? `exec: program ${program} not found. ${explainMissing(program)}`
        : `exec: ${program} cannot be run (${toFileReason(cause)}).`,
      { cause },
    )
    this.exitCode = isMissing ? 127 : 126
  }
}

/**
 * A terminal sends Ctrl-C to both processes. Forwarding it would send it twice, which makes many programs quit at once.
 * Node does not tell who sent a signal, so a SIGINT from another process is not forwarded either.
 */
function passOn(signal: NodeJS.Signals, child: ChildProcess): void {
  if (signal === 'SIGINT' && process.stdin.isTTY) return
  child.kill(signal)
}

interface SpawnArguments {
  readonly file: string
  readonly rest: readonly string[]
  readonly isShell: boolean
}

/** On Windows, npm and most npm executables are scripts, which only the shell can start. */
export function toSpawnArguments(platform: string, [program, ...args]: CommandLine): SpawnArguments {
  if (platform !== 'win32') return { file: program, rest: args, isShell: false }
  return { file: [program, ...args].map(quoteForWindows).join(' '), rest: [], isShell: true }
}

/** Backslashes are special only before a quote: https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments. */
function quoteForWindows(arg: string): string {
  if (/^[\w./:\\@=+-]+$/.test(arg)) return arg
  return `"${arg.replaceAll(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)(\\+)$/, '$1$1')}"`
}
