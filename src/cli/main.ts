import yargs, { type Argv } from 'yargs'
import { VERSION } from '../contract/version.ts'
import { MockError } from '../http/mock-error.ts'
import { suggest } from '../http/suggest.ts'
import type { Command } from './command.ts'
import { check } from './commands/check.ts'
import { completion } from './commands/completion.ts'
import { demo } from './commands/demo.ts'
import { demoBuild } from './commands/demo-build.ts'
import { exec } from './commands/exec.ts'
import { generate, validate } from './commands/fixture.ts'
import { init } from './commands/init.ts'
import { record } from './commands/record.ts'
import { serve } from './commands/serve.ts'
import { explainMisplaced } from './explain-misplaced.ts'
import { type FlagOptions, readConfig, readEnvironment } from './flag-sources.ts'
import { type Io, UsageError, WRONG_USE } from './io.ts'
import { createPaint } from './paint.ts'

export const PROGRAM = 'petstore-mock'

/** Exit code for a bug in the program. */
const BUG = 70

type Commands = Readonly<Record<string, Command<never>>>

/** The commands by usage, without those of a group. */
const COMMANDS: Commands = {
  serve,
  exec,
  'check [url]': check,
  'record <url>': record,
  'init <dir>': init,
  'completion [shell]': completion,
}

interface Group {
  readonly summary: string
  /** The command of the first word alone. */
  readonly command?: Command<never>
  readonly commands: Commands
}

/** Commands of two words. */
const GROUPS: Readonly<Record<string, Group>> = {
  demo: {
    summary: 'serve the offline demo; demo build writes it with your own pets',
    command: demo,
    commands: { build: demoBuild },
  },
  fixture: { summary: 'validate or generate fixtures', commands: { 'validate <files..>': validate, generate } },
}

/** Every command by its usage. */
export const ALL_COMMANDS: Commands = {
  ...COMMANDS,
  ...Object.fromEntries(
    Object.entries(GROUPS).flatMap(([group, { command: first, commands }]) => [
      ...(first === undefined ? [] : [[group, first]]),
      ...Object.entries(commands).map(([usage, command]) => [`${group} ${usage}`, command]),
    ]),
  ),
}

const COMMAND_NAMES = [...Object.keys(COMMANDS).map(toName), ...Object.keys(GROUPS)]

/** The flags of all commands that are read from the environment. */
const ALL_FLAGS = Object.values(ALL_COMMANDS).flatMap((command) => Object.keys(toEnvironmentOptions(command)))

/** Runs the program; resolves to its exit code. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let code = 0
  const run = (command?: Command<never>) => async (flags: unknown) => {
    code = (await command?.run(flags as never, io)) ?? code
  }
  const add = (parser: Argv, [usage, command]: [string, Command<never>]): Argv =>
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
    .usage('A stateful mock of the petstore inventory service.')
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
      throw toError(message, { error, argv })
    })
  try {
    await parser.parseAsync(withoutDefault(argv), {}, (_error, _flags, output) => {
      if (output !== '') io.out(output)
    })
    return code
  } catch (error) {
    return report(error, io)
  }
}

/** Otherwise, the commands of a group would also accept the flags of its first word. */
function withOwnFlags(command: Command<never>): Command<never> {
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

/** The name in a command's usage: `validate <files..>`. */
function toName(usage: string): string {
  return usage.split(' ')[0] ?? ''
}

interface Declaration {
  readonly command: Command<never>
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
    all: [...ALL_FLAGS, 'config'],
  })
  yargs.config(values)
  if (hasConfig) {
    yargs.config('config', 'JSON file with flags as properties', (path) => ({
      ...readConfig(path, options),
      ...values,
    }))
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

function toEnvironmentOptions({ options = {}, commandLineOnly = [] }: Command<never>): FlagOptions {
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

function hasRest([name]: readonly string[]): boolean {
  return name !== undefined && COMMANDS[name]?.hasRest === true
}

/** yargs reports its own rejections as messages, and those of a flag's parser as errors. */
function toError(
  message: string | null,
  { error, argv }: { error: Error | undefined; argv: readonly string[] },
): Error {
  if (error !== undefined && error.name !== 'YError') return error
  const sentence = (message ?? error?.message ?? '').replaceAll(/\s+/g, ' ')
  const [, names] = /^Unknown (?:argument|command)s?: (.+)/.exec(sentence) ?? []
  const [first, ...others] = names?.split(/[,\s]+/) ?? []
  if (first !== undefined) {
    const misplaced = hasRest(argv) ? explainMisplaced([first, ...others], argv) : undefined
    return new UsageError(misplaced ?? explainUnknown(first, argv))
  }
  if (/^Did you mean \S+\?$/.test(sentence)) return new UsageError(explainUnknown(argv[1] ?? '', argv))
  const [, required] = /^Missing required arguments?: (.+)/.exec(sentence) ?? []
  if (required !== undefined) {
    const flags = required.split(', ').map((name) => `--${name}`)
    const verb = flags.length === 1 ? 'is' : 'are'
    return new UsageError(`${flags.join(' and ')} ${verb} required. See ${PROGRAM} ${toCommand(argv)} --help`)
  }
  const [, flag] = /^Not enough arguments following: (.+)/.exec(sentence) ?? []
  if (flag !== undefined) return new UsageError(`--${flag} needs a value. See ${PROGRAM} --help`)
  if (/^Not enough non-option arguments/.test(sentence))
    return new UsageError(`${argv[0]} needs an argument. See ${PROGRAM} ${argv[0]} --help`)
  const [, name, value, choices] = /^Invalid values: Argument: (\S+), Given: (.*), Choices: (.*)/.exec(sentence) ?? []
  if (name !== undefined)
    return new UsageError(`--${name} must be one of ${choices?.replaceAll('"', '')}, got ${value}.`)
  return new UsageError(sentence)
}

/** yargs names a flag without its dashes. */
function explainUnknown(name: string, argv: readonly string[]): string {
  const [first = ''] = argv
  const group = toGroupNames(first)
  const isFlag = argv.some((arg) => /^-+([^=]+)/.exec(arg)?.[1] === name)
  if (!isFlag) {
    const [names, help] = group.length === 0 ? [COMMAND_NAMES, PROGRAM] : [group, `${PROGRAM} ${first}`]
    return `Unknown command ${name}.${suggest(name, names)} See ${help} --help`
  }
  const command = toCommand(argv)
  const [, { options = {}, hasConfig } = {}] =
    Object.entries(ALL_COMMANDS).find(([usage]) => usage === command || usage.startsWith(`${command} `)) ?? []
  const hint = suggest(name, [...Object.keys(options), ...(hasConfig ? ['config'] : [])]).replace('mean ', 'mean --')
  return `Unknown flag --${name} for ${command}.${hint} See ${PROGRAM} ${command} --help`
}

/** The command of a command line: `serve`, `demo build`. */
function toCommand([first = '', second = '']: readonly string[]): string {
  if (toGroupNames(first).includes(second)) return `${first} ${second}`
  return COMMAND_NAMES.includes(first) ? first : 'serve'
}

function toGroupNames(name: string): readonly string[] {
  return Object.keys(GROUPS[name]?.commands ?? {}).map(toName)
}

function report(error: unknown, io: Io): number {
  if (error instanceof UsageError || error instanceof MockError) {
    io.err(`${createPaint(io, 'err')('red', `${PROGRAM}:`)} ${error.message}`)
    return error instanceof UsageError ? error.exitCode : WRONG_USE
  }
  io.err(error instanceof Error ? String(error.stack) : String(error))
  return BUG
}
