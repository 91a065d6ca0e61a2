import type { Argv } from 'yargs'
import type { Io } from './io.ts'

/** One command of the program. */
export interface Command<Flags> {
  readonly summary: string
  readonly flags: (argv: Argv) => Argv<Flags>
  /** Resolves to the exit code. */
  readonly run: (flags: Flags, io: Io) => Promise<number>
}
