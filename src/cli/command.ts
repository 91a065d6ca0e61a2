import type { Options, PositionalOptions } from 'yargs'
import type { Io } from './io.ts'

/** One command of the program. Its flags are data, so that environment, config file and completion know them too. */
export interface Command<Flags> {
  readonly summary: string
  readonly positionals?: Readonly<Record<string, PositionalOptions>>
  readonly options?: Readonly<Record<string, Options>>
  /** Lines for `--help`: what to type behind the program's name, and what it does. */
  readonly examples?: readonly (readonly [line: string, does: string])[]
  /** Whether `--config FILE` gives flags from a file. */
  readonly hasConfig?: boolean
  /** Whether what stands behind `--` is kept, as the flag `--`. */
  readonly hasRest?: boolean
  /** Refuses flags that do not go together. @throws {UsageError} */
  readonly check?: (flags: Flags) => void
  /** Resolves to the exit code. */
  readonly run: (flags: Flags, io: Io) => Promise<number>
}
