import { once } from 'node:events'
import type { PositionalOptions } from 'yargs'

export interface Command<Given = never> {
  readonly summary: string
  /** The positional arguments as `--help` shows them: `[url]`. */
  readonly usage?: string
  readonly positionals?: Readonly<Record<string, PositionalOptions>>
  /** Examples for `--help`: the command line after the program's name, and what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[]
  /** Whether the arguments after `--` are kept, as the flag `--`. */
  readonly hasRest?: boolean
  /** Resolves to the exit code. @throws {UsageError} also for flags that cannot be combined. */
  readonly run: (given: Given, io: Io) => Promise<number>
}

/** The program's connection to the outside world, so that tests can run it in their own process. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  out(line: string): void
  err(line: string): void
  /** Whether the streams are terminals. Only terminals get colours. */
  readonly isTerminal: { readonly out: boolean; readonly err: boolean }
  /** Opens a URL in the user's browser. Rejects if no browser can be started. */
  open(url: string): Promise<void>
  /** Aborted by SIGINT, SIGTERM or SIGHUP. */
  readonly stop: AbortSignal
  /** A second signal waits for `work` before it ends the program. A third does not, and prints the `loss`. */
  hold(work: Promise<unknown>, loss: string): void
  /** Passes all signals to `listener` instead of stopping the program, until the returned function is called. */
  takeSignals(listener: (signal: NodeJS.Signals) => void): () => void
  /** Passes uncaught errors and rejections to `report` from now on, instead of ending the program. */
  catchErrors(report: (error: unknown) => void): void
}

export const WRONG_USE = 2

/** Wrong usage or invalid input. The program prints the message without a stack and exits with `exitCode`. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly exitCode: number

  constructor(message: string, { exitCode = WRONG_USE, cause }: { exitCode?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.exitCode = exitCode
  }
}

export const INTERRUPTED = 130

/** Implements `--open`. The program goes on if the browser does not start. */
export async function openPage(url: string, io: Io): Promise<void> {
  await io.open(url).catch((error: Error) => io.err(`--open: could not start a browser (${error.message}).`))
}

/** Opens a URL with the system's opener, without waiting for it to exit. */
export async function openInBrowser(url: string): Promise<void> {
  const { spawn } = await import('node:child_process')
  const { command, args } = toOpener(process.platform, url)
  const child = spawn(command, args, { detached: true, stdio: 'ignore', windowsVerbatimArguments: true })
  await once(child, 'spawn')
  child.unref()
}

/** `start` is a command of the Windows shell. It reads its first quoted argument as a window title. */
export function toOpener(platform: string, url: string): { command: string; args: readonly string[] } {
  if (platform === 'darwin') return { command: 'open', args: [url] }
  if (platform === 'win32') return { command: 'cmd', args: ['/c', 'start', '""', url] }
  return { command: 'xdg-open', args: [url] }
}
