import type { PositionalOptions } from 'yargs'
import type { Io } from './io.ts'

/** One command of the program. Its flags are in the table of options. */
export interface Command<Given = never> {
  readonly summary: string
  /** The positional arguments as `--help` shows them: `[url]`. */
  readonly usage?: string
  readonly positionals?: Readonly<Record<string, PositionalOptions>>
  /** Examples for `--help`: the command line after the program's name, and what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[]
  /** Whether the arguments after `--` are kept, as the flag `--`. */
  readonly hasRest?: boolean
  /** Rejects flags that cannot be combined. @throws {UsageError} */
  readonly check?: (given: Given) => void
  /** Resolves to the exit code. */
  readonly run: (given: Given, io: Io) => Promise<number>
}
