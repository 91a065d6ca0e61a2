import type { Options, PositionalOptions } from 'yargs'
import type { Io } from './io.ts'

/** One command of the program. Flags are data, which the environment, config file and completion read too. */
export interface Command<Flags> {
  readonly summary: string
  readonly positionals?: Readonly<Record<string, PositionalOptions>>
  readonly options?: Readonly<Record<string, Options>>
  /** Flags that are read only from the command line, because they decide which files are written. */
  readonly commandLineOnly?: readonly string[]
  /** Examples for `--help`: the command line after the program's name, and what it does. */
  readonly examples?: readonly (readonly [line: string, does: string])[]
  /** Whether the command accepts `--config FILE`. */
  readonly hasConfig?: boolean
  /** Whether the arguments after `--` are kept, as the flag `--`. */
  readonly hasRest?: boolean
  /** Rejects flags that cannot be combined. @throws {UsageError} */
  readonly check?: (flags: Flags) => void
  /** Resolves to the exit code. */
  readonly run: (flags: Flags, io: Io) => Promise<number>
}
