import yargs, { type Argv } from 'yargs'
import { VERSION } from '../contract/version.ts'
import { MockError } from '../http/mock-error.ts'
import type { AnyCommand } from './command.ts'
import { ALL_COMMANDS, COMMANDS, type Commands, GROUPS, type Group, hasRest, PROGRAM, toName } from './commands.ts'
import { explainWrongUse } from './explain-wrong-use.ts'
import { type FlagOptions, readConfig, readEnvironment } from './flag-sources.ts'
import { type Io, UsageError, WRONG_USE } from './io.ts'
import { normalizeArgv } from './normalize-argv.ts'
import { writeProblem } from './paint.ts'
import { parseOnce } from './parse-flag.ts'

/** Exit code for a bug in the program. */
const BUG = 70

/** The flags of all commands that are read from the environment. */
const ALL_FLAGS: FlagOptions = Object.assign({ config: {} }, ...Object.values(ALL_COMMANDS).map(toEnvironmentOptions))
const COMMAND_LINE_ONLY = Object.values(ALL_COMMANDS).flatMap(({ commandLineOnly = [] }) => commandLineOnly)

/** Runs the program; resolves to its exit code. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let code = 0
  const run = (command?: AnyCommand) => async (flags: unknown) => {
    code = (await command?.run(flags as never, io)) ?? code
  }
  const add = (parser: Argv, [usage, command]: [string, AnyCommand]): Argv =>
    parser.command(
      usage === 'serve' ? ['serve', '$0'] : [usage],
      command.summary,
      (yargs: Argv) => declare(yargs, { command, argv, env: io.env }),
      run(command),
    )
  const addGroup = (parser: Argv, [name, { summary, command, commands }]: [string, Group]): Argv =>
    parser.command(
      name,
      summary,
      (yargs: Argv) => {
        const group = Object.entries(commands).reduce(add, yargs)
        if (command === undefined) return needCommand(group, { name, commands })
        return declare(group, { command: withOwnFlags(command), argv, env: io.env })
      },
      run(command),
    )
  const parser = Object.entries(GROUPS)
    .reduce(addGroup, Object.entries(COMMANDS).reduce(add, yargs()))
    .scriptName(PROGRAM)
    .usage('An in-memory mock server of the petstore inventory service.')
    .version(VERSION)
    .epilogue('Every flag also works as an environment variable: PETSTORE_MOCK_FLAG_NAME.')
    .parserConfiguration({
      // Values stay text: a key of 1e3 is not 1000.
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'dot-notation': false,
      // For other commands, arguments after `--` are ordinary arguments.
      'populate--': hasRest(argv),
    })
    .strict()
    .recommendCommands()
    .locale('en')
    .help()
    .alias('h', 'help')
    .wrap(100)
    .exitProcess(false)
    .fail((message, error) => {
      throw explainWrongUse(message, { error, argv })
    })
  try {
    await parser.parseAsync(
      withoutDefault(isCompletion(argv) || isHelp(argv) ? argv : normalizeArgv(argv)),
      {},
      (_error, _flags, output) => {
        if (output !== '') io.out(output)
      },
    )
    return code
  } catch (error) {
    // The shell would print the error into the prompt. It completes file names instead.
    return isCompletion(argv) ? 0 : report(error, io)
  }
}

/** Otherwise, the commands of a group would also accept the flags of its first word. */
function withOwnFlags(command: AnyCommand): AnyCommand {
  const options = Object.entries(command.options ?? {}).map(([name, option]) => [name, { ...option, global: false }])
  return { ...command, options: Object.fromEntries(options) }
}

/** For a group without a command of its own. */
function needCommand(group: Argv, { name, commands }: { name: string; commands: Commands }): Argv {
  for (const { examples = [] } of Object.values(commands))
    for (const [line, does] of examples) group.example(`$0 ${line}`, does)
  const names = Object.keys(commands).map(toName)
  return group.demandCommand(1, `${name} needs a command: ${names.join(' or ')}.`)
}

interface Declaration {
  readonly command: AnyCommand
  readonly argv: readonly string[]
  readonly env: Io['env']
}

/** The command line takes precedence over the environment, and the environment over the config file. */
function declare(yargs: Argv, { command, argv, env }: Declaration): Argv {
  const { positionals = {}, options = {}, examples = [], hasConfig = false, check: checkFlags } = command
  for (const [name, positional] of Object.entries(positionals)) yargs.positional(name, positional)
  yargs.options(options)
  const configFlag = hasConfig ? { config: {} } : {}
  for (const [line, does] of examples) yargs.example(`$0 ${line}`, does)
  const { config, ...values } = readEnvironment(isHelp(argv) ? {} : env, {
    options: { ...toEnvironmentOptions(command), ...configFlag },
    all: ALL_FLAGS,
    commandLineOnly: COMMAND_LINE_ONLY,
  })
  yargs.config(values)
  if (hasConfig) {
    // A flag without a value, or given twice, is left to its parser.
    yargs.config('config', 'JSON file with flags as properties', (path) => ({
      ...(typeof path === 'string' && readConfig(path, options)),
      ...values,
    }))
    yargs.requiresArg('config').coerce('config', parseOnce('config'))
    if (config !== undefined) yargs.default('config', config)
  }
  if (checkFlags !== undefined) {
    yargs.check((flags) => {
      checkFlags(flags as never)
      return true
    })
  }
  return yargs
}

function toEnvironmentOptions({ options = {}, commandLineOnly = [] }: AnyCommand): FlagOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !commandLineOnly.includes(name)))
}

/**
 * `serve` is the default command and starts faster without its name, because yargs renders the help of every command
 * that is named (https://github.com/yargs/yargs/blob/v18.0.0/lib/command.ts, `cacheHelpMessage`).
 */
function withoutDefault(argv: readonly string[]): string[] {
  return argv[0] === 'serve' && !isHelp(argv) ? argv.slice(1) : [...argv]
}

/** Arguments after `--` belong to another program. */
function isHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end === -1 ? undefined : end).some((arg) => arg === '--help' || arg === '-h')
}

function isCompletion([first]: readonly string[]): boolean {
  return first === '--get-yargs-completions'
}

function report(error: unknown, io: Io): number {
  if (error instanceof UsageError || error instanceof MockError) {
    writeProblem(io, error.message)
    return error instanceof UsageError ? error.exitCode : WRONG_USE
  }
  io.err(error instanceof Error ? String(error.stack) : String(error))
  return BUG
}
