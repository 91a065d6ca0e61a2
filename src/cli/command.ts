import type { Options, PositionalOptions } from 'yargs'
import type { Io } from './io.ts'

/**
 * One command of the program. Flags are data, which the environment, config file and completion read too. The compiler
 * reports a flag or positional argument without a property of `Flags`, and the reverse.
 */
export interface Command<Flags, Positional extends keyof Flags = never> extends AnyCommand {
  readonly positionals?: Readonly<Record<Positional & string, PositionalOptions>>
  readonly options: Readonly<Record<OptionName<Flags, Positional>, Options>>
  readonly commandLineOnly?: readonly OptionName<Flags, Positional>[]
  readonly check?: (flags: Flags) => void
  readonly run: (flags: Flags, io: Io) => Promise<number>
}

type OptionName<Flags, Positional> = FlagName<Exclude<keyof Flags & string, Positional | typeof REST>>

/** `random-seed` for `randomSeed`. */
type FlagName<Key extends string> = Key extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${FlagName<Rest>}`
  : Key

/** The property that holds the arguments after `--`. */
export const REST = '--'

/** A command whose flags are not known. */
export interface AnyCommand {
  readonly summary: string
  readonly positionals?: Readonly<Record<string, PositionalOptions>>
  readonly options?: Readonly<Record<string, Options>>
  /** Flags that are read only from the command line, because they decide which files are written. */
  readonly commandLineOnly?: readonly string[]
  /** Examples for `--help`: the command line after the program's name, and what it does. */
  readonly examples?: readonly (readonly [line: string, does: string])[]
  /** Whether the command accepts `--config FILE`. */
  readonly hasConfig?: boolean
  /** Whether the arguments after `--` are kept, as the flag {@link REST}. */
  readonly hasRest?: boolean
  /** Rejects flags that cannot be combined. @throws {UsageError} */
  readonly check?: (flags: never) => void
  /** Resolves to the exit code. */
  readonly run: (flags: never, io: Io) => Promise<number>
}
