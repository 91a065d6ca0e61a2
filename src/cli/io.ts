/** What the program has of the world beside its arguments, so that tests can run it in their own process. */
export interface Io {
  /** The environment's variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Writes a line to standard output. */
  out(line: string): void
  /** Writes a line to standard error. */
  err(line: string): void
  /** Whether the lines are for people: colours are only for terminals. */
  readonly isTerminal: { readonly out: boolean; readonly err: boolean }
  /** Opens an address in the user's browser. Rejects where that cannot even be tried. */
  open(url: string): Promise<void>
  /** Aborted by SIGINT, SIGTERM or SIGHUP. */
  readonly stop: AbortSignal
  /** What must be finished before a second signal ends the program. */
  hold(work: Promise<unknown>): void
  /** Gives all signals to `listener`, and none of them ends the program, until the returned function is called. */
  takeSignals(listener: (signal: NodeJS.Signals) => void): () => void
}

/** Exit code for wrong use or bad input. */
export const WRONG_USE = 2

/** Wrong use or bad input: told in one line, without a stack, and the program ends with the exit code. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly exitCode: number = WRONG_USE
}

/** Exit code of a command that a signal ends before it is done. */
export const INTERRUPTED = 130
