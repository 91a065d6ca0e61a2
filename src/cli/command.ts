import type { Options, PositionalOptions } from 'yargs'
import type { Io } from './io.ts'

/** One command of the program. Its flags are data, so that environment, config file and completion know them too. */
export interface Command<Flags> {
  readonly summary: string
  readonly positionals?: Readonly<Record<string, PositionalOptions>>
  readonly options?: Readonly<Record<string, Options>>
  /** Whether `--config FILE` gives flags from a file. */
  readonly hasConfig?: boolean
  /** Refuses flags that do not go together. @throws {UsageError} */
  readonly check?: (flags: Flags) => void
  /** Resolves to the exit code. */
  readonly run: (flags: Flags, io: Io) => Promise<number>
}
