import yargs, { type Argv, type Options } from 'yargs'
import { VERSION } from '../contract/version.ts'
import { MockError } from '../http/mock-error.ts'
import { suggest } from '../http/quote.ts'
import { isShippedFixture } from '../store/seed.ts'
import { type Command, type Io, UsageError, WRONG_USE } from './command.ts'
import { check } from './commands/check.ts'
import { completion } from './commands/completion.ts'
import { demo, demoBuild } from './commands/demo.ts'
import { exec } from './commands/exec.ts'
import { generate, record, validate } from './commands/fixture.ts'
import { init } from './commands/init.ts'
import { mutate } from './commands/mutate.ts'
import { serve } from './commands/serve.ts'
import { type CommandName, type Option, optionsOf, REQUIRED } from './options.ts'
import { readFlags } from './read-flags.ts'
import { writeProblem } from './terminal.ts'

export const PROGRAM = 'petstore-mock'

export const COMMANDS: Readonly<Record<CommandName, Command>> = {
  serve,
  exec,
  init,
  record,
  'fixture validate': validate,
  'fixture generate': generate,
  demo,
  'demo build': demoBuild,
  check,
  mutate,
  completion,
}

/** What `--help` says of a first word with several commands. */
export const GROUPS: Readonly<Record<string, string>> = {
  demo: 'serve the offline demo; demo build writes it with your own pets',
  fixture: 'validate or generate fixtures',
}

export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[]

export const FIRST_WORDS: readonly string[] = [...new Set(COMMAND_NAMES.map((name) => name.split(' ')[0] as string))]

export function toSecondWords(first: string): readonly string[] {
  return COMMAND_NAMES.filter((name) => name.startsWith(`${first} `)).map((name) => name.slice(first.length + 1))
}

/** The command of a command line: `serve`, `demo build`, also a mere `fixture`. */
export function toCommandName([first = '', second = '']: readonly string[]): CommandName {
  const name = toSecondWords(first).includes(second) ? `${first} ${second}` : first
  return (FIRST_WORDS.includes(first) ? name : 'serve') as CommandName
}

const BUG = 70

/** What `petstore-mock --help` shows: the flags of `serve`, and the commands with an example. */
const DAILY_FLAGS: readonly string[] = [
  'port',
  'fixture',
  'pets',
  'api-key',
  'delay',
  'stubs',
  'state',
  'watch',
  'open',
  'log',
]
const DAILY_COMMANDS: readonly CommandName[] = ['serve', 'exec', 'init', 'record']

export async function main(argv: readonly string[], io: Io): Promise<number> {
  let code = 0
  const run = (name: CommandName) => async (given: Readonly<Record<string, unknown>>) => {
    const { positionals = {}, hasRest, run } = COMMANDS[name]
    const rest = given['--']
    if (rest !== undefined && hasRest !== true)
      throw new UsageError(
        `${name} takes nothing after --. To run a command against a server: ${PROGRAM} exec -- npm test`,
      )
    const words = Object.keys(positionals).map((word) => [word, given[word]])
    const read = await readFlags(name, { given, env: io.env })
    code = await run({ ...Object.fromEntries(words), ...read, '--': rest } as never, io)
  }
  const add = (parser: Argv, word: string, name: CommandName): Argv => {
    const { usage, summary } = COMMANDS[name]
    const pattern = name === 'serve' ? ['serve', '$0'] : usage === undefined ? word : `${word} ${usage}`
    const isShort = argv[0] === '--help' || argv[0] === '-h'
    return parser.command(pattern, summary, (yargs: Argv) => declare(yargs, name, { isShort }), run(name))
  }
  const addFirst = (parser: Argv, first: string): Argv => {
    const second = toSecondWords(first)
    if (second.length === 0) return add(parser, first, first as CommandName)
    const group = (yargs: Argv): Argv => {
      for (const word of second) add(yargs, word, `${first} ${word}` as CommandName)
      if (first in COMMANDS) return declare(yargs, first as CommandName, { isGlobal: false })
      for (const word of second) addExamples(yargs, `${first} ${word}` as CommandName)
      return yargs.demandCommand(1, `${first} needs a command: ${second.join(' or ')}`)
    }
    return parser.command(first, GROUPS[first] ?? '', group, run(first as CommandName))
  }
  const parser = FIRST_WORDS.reduce(addFirst, yargs())
    .scriptName(PROGRAM)
    .usage('An in-memory mock server of the petstore inventory service.')
    .version(VERSION)
    .epilogue(
      `All flags of serve: ${PROGRAM} serve --help. Most also work as environment variables: PETSTORE_MOCK_FLAG_NAME.`,
    )
    .parserConfiguration({
      // Values stay text: a key of 1e3 is not 1000.
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'dot-notation': false,
      'populate--': true,
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
    await parser.parseAsync(toWords(argv), {}, (_error, _flags, output) => {
      if (output !== '') io.out(output)
    })
    return code
  } catch (error) {
    // The shell would print the error into the prompt. It completes file names instead.
    return argv.some((word) => word.startsWith('--get-yargs-completions')) ? 0 : report(error, io)
  }
}

/**
 * `serve` is the default command. With its name it starts 20 ms later, a sixth of a start, because yargs renders the help
 * of every command that is named (https://github.com/yargs/yargs/blob/v18.0.0/lib/command.ts, `cacheHelpMessage`).
 */
function toWords(argv: readonly string[]): string[] {
  const isHelp = argv.includes('--help') || argv.includes('-h')
  return argv[0] === 'serve' && !isHelp ? argv.slice(1) : [...argv]
}

/**
 * @param isGlobal Whether commands of two words that begin with the name also accept the flags.
 * @param isShort Whether the help shows only what is used daily.
 */
function declare(yargs: Argv, name: CommandName, { isGlobal = true, isShort = false } = {}): Argv {
  for (const [argument, positional] of Object.entries(COMMANDS[name].positionals ?? {}))
    yargs.positional(argument, positional)
  for (const option of optionsOf(name)) {
    const hidden = isShort && !DAILY_FLAGS.includes(option.name)
    yargs.option(option.name, { ...toYargsOption(option, name), global: isGlobal, hidden })
  }
  if (isShort) for (const each of DAILY_COMMANDS) addExamples(yargs, each, 1)
  else addExamples(yargs, name)
  return yargs
}

/** Without a default, so that a flag of the command line is known from one that is not given. */
function toYargsOption({ alias = [], help, of, value }: Option, command: string): Options {
  const standard = of[command]
  return {
    alias: [...alias],
    describe: standard === REQUIRED ? `${help} (required)` : help,
    // A switch takes no value: yargs would read --watch=yes as off. Values have no type, because they stay text.
    ...(value?.kind === 'switch' ? { type: 'boolean', nargs: 0 } : { requiresArg: true }),
    ...(value?.choices !== undefined && { choices: value?.choices }),
    ...(standard !== undefined &&
      standard !== false &&
      standard !== REQUIRED && { defaultDescription: String(standard) }),
  }
}

function addExamples(yargs: Argv, name: CommandName, most?: number): void {
  for (const [line, does] of COMMANDS[name].examples.slice(0, most)) yargs.example(`$0 ${line}`, does)
}

function report(error: unknown, io: Io): number {
  if (error instanceof UsageError || error instanceof MockError) {
    writeProblem(io, error.message)
    return error instanceof UsageError ? error.exitCode : WRONG_USE
  }
  io.err(error instanceof Error ? String(error.stack) : String(error))
  return BUG
}

/** The error to report for one of yargs: a rejection has a message, a command that failed an error. */
function explainWrongUse(
  message: string | null,
  { error, argv }: { error: Error | undefined; argv: readonly string[] },
): Error {
  if (error !== undefined && error.name !== 'YError') return error
  const sentence = (message ?? error?.message ?? '').replaceAll(/\s+/g, ' ')
  const command = toCommandName(argv)
  return new UsageError(`${rewordProblem(sentence, { command, argv })} See ${PROGRAM} ${command} --help`)
}

/** The sentences of yargs have neither the dashes of a flag nor the name of what is missing. */
function rewordProblem(sentence: string, { command, argv }: { command: CommandName; argv: readonly string[] }): string {
  if (sentence.startsWith('Not enough non-option arguments')) {
    const { usage, examples } = COMMANDS[command]
    return `${command} needs ${usage}: ${PROGRAM} ${examples[0]?.[0]}.`
  }
  const [, valueless] = /^Not enough arguments following: (.+)/.exec(sentence) ?? []
  if (valueless !== undefined) return `${addDashes(valueless, argv)} needs a value.`
  const [, unknown] = /^Unknown (?:argument|command)s?: (.+)/.exec(sentence) ?? []
  if (unknown === undefined) return `${sentence}.`
  const names = unknown.split(', ')
  // A flag has dashes there.
  const word = names.find((name) => argv.includes(name))
  if (word !== undefined && COMMANDS[command]?.hasRest === true)
    return `${command} takes its command after --: ${PROGRAM} ${command} -- npm test.`
  // The others may hold a password.
  if (word !== undefined) return `Unknown argument: ${word}.${suggestWord(word, argv)}`
  const flags = optionsOf(command).map(({ name }) => name)
  // yargs reads `-port` as `-p ort`.
  const singleDash = flags.find((name) => argv.some((each) => each.split('=')[0] === `-${name}`))
  if (singleDash !== undefined) return `Unknown argument: -${singleDash}. Did you mean --${singleDash}?`
  const [name = ''] = names
  const dashed = addDashes(name, argv)
  const dashes = dashed.startsWith('--no-') ? '--no-' : '--'
  return `Unknown argument: ${dashed}.${suggest(name, flags).replace('mean ', `mean ${dashes}`)}`
}

/** A flag as the command line has it: `-p`, `--port` or `--no-port`. */
function addDashes(name: string, argv: readonly string[]): string {
  if (name.length === 1) return `-${name}`
  return argv.includes(`--no-${name}`) ? `--no-${name}` : `--${name}`
}

function suggestWord(word: string, argv: readonly string[]): string {
  if (toCommandName(argv) === 'serve' && (isShippedFixture(word) || /\.(?:json|ya?ml)$/i.test(word)))
    return ` Do you mean --fixture ${word}?`
  return suggest(word, [...FIRST_WORDS, ...toSecondWords(argv[0] ?? '')])
}
