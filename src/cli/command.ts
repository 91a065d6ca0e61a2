import type { PositionalOptions } from 'yargs'
import type { Io } from './io.ts'
import type { CommandName, Flags } from './options.ts'

/** One command of the program. Its flags are in the table of options. */
export interface Command<Name extends CommandName = never, Positionals extends object = object> extends AnyCommand {
  readonly positionals?: Readonly<Record<keyof Positionals & string, PositionalOptions>>
  readonly check?: (flags: Flags<Name> & Positionals) => void
  readonly run: (flags: Flags<Name> & Positionals, io: Io) => Promise<number>
}

/** A command whose flags are not known. */
export interface AnyCommand {
  readonly summary: string
  /** The positional arguments as `--help` shows them: `[url]`. */
  readonly usage?: string
  readonly positionals?: Readonly<Record<string, PositionalOptions>>
  /** Examples for `--help`: the command line after the program's name, and what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[]
  /** Whether the arguments after `--` are kept, as the flag `--`. */
  readonly hasRest?: boolean
  /** Rejects flags that cannot be combined. @throws {UsageError} */
  readonly check?: (flags: never) => void
  /** Resolves to the exit code. */
  readonly run: (flags: never, io: Io) => Promise<number>
}
