import yargs, { type Argv } from 'yargs'
import { VERSION } from '../contract/version.ts'
import { MockError } from '../http/mock-error.ts'
import { COMMANDS, FIRST_WORDS, GROUPS, PROGRAM, toCommandName, toSecondWords } from './commands.ts'
import { readConfig, readEnvironment } from './flag-sources.ts'
import { type Io, UsageError, WRONG_USE } from './io.ts'
import { toYargsOption } from './option.ts'
import { type CommandName, optionsOf } from './options.ts'
import { writeProblem } from './terminal.ts'
import { explainWrongUse, normalizeArgv } from './wrong-use.ts'

/** Exit code for a bug in the program. */
const BUG = 70

/** Runs the program; resolves to its exit code. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let code = 0
  const env = isHelp(argv) ? {} : io.env
  const run = (name: CommandName) => async (flags: unknown) => {
    code = await COMMANDS[name].run(flags as never, io)
  }
  const add = (parser: Argv, { word, name }: { word: string; name: CommandName }): Argv => {
    const { usage, summary } = COMMANDS[name]
    return parser.command(
      name === 'serve' ? ['serve', '$0'] : usage === undefined ? word : `${word} ${usage}`,
      summary,
      (yargs: Argv) => declare(yargs, { name, env }),
      run(name),
    )
  }
  const addFirst = (parser: Argv, word: string): Argv => {
    const second = toSecondWords(word)
    if (second.length === 0) return add(parser, { word, name: word as CommandName })
    const names = second.map((each) => ({ word: each, name: `${word} ${each}` as CommandName }))
    const group = (yargs: Argv): Argv => {
      const parser = names.reduce(add, yargs)
      if (word in COMMANDS) return declare(parser, { name: word as CommandName, env, isGlobal: false })
      for (const { name } of names) addExamples(parser, name)
      return parser.demandCommand(1, `${word} needs a command: ${second.join(' or ')}.`)
    }
    return parser.command(word, GROUPS[word] ?? '', group, run(word as CommandName))
  }
  const parser = FIRST_WORDS.reduce(addFirst, yargs())
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
      'populate--': COMMANDS[toCommandName(argv)]?.hasRest === true,
    })
    .strict()
    .locale('en')
    .help()
    .alias('h', 'help')
    .wrap(100)
    .exitProcess(false)
    .fail((message, error) => {
      throw explainWrongUse(message, { error, argv })
    })
  try {
    const words = isCompletion(argv) || isHelp(argv) ? argv : normalizeArgv(argv)
    await parser.parseAsync(withoutDefault(words), {}, (_error, _flags, output) => {
      if (output !== '') io.out(output)
    })
    return code
  } catch (error) {
    // The shell would print the error into the prompt. It completes file names instead.
    return isCompletion(argv) ? 0 : report(error, io)
  }
}

interface Declaration {
  readonly name: CommandName
  readonly env: Io['env']
  /** Whether commands of two words that begin with the name also accept the flags. */
  readonly isGlobal?: boolean
}

/** The command line takes precedence over the environment, and the environment over the config file. */
function declare(yargs: Argv, { name, env, isGlobal = true }: Declaration): Argv {
  const { positionals = {}, check } = COMMANDS[name]
  for (const [argument, positional] of Object.entries(positionals)) yargs.positional(argument, positional)
  const { config, ...values } = readEnvironment(env, name)
  const options = optionsOf(name)
  for (const option of options) yargs.option(option.name, { ...toYargsOption(option, name), global: isGlobal })
  addExamples(yargs, name)
  yargs.config(values)
  const configOption = options.find((option) => option.name === 'config')
  if (configOption !== undefined) {
    // A flag without a value, or given twice, is left to its parser.
    yargs.config('config', configOption.help, (path) => ({
      ...(typeof path === 'string' && readConfig(path, name)),
      ...values,
    }))
    if (config !== undefined) yargs.default('config', config)
  }
  return yargs.check((flags) => {
    check?.(flags as never)
    return true
  })
}

function addExamples(yargs: Argv, name: CommandName): void {
  for (const [line, does] of COMMANDS[name].examples) yargs.example(`$0 ${line}`, does)
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
