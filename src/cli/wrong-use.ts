import { suggest } from '../http/quote.ts'
import { isShippedFixture } from '../store/seed.ts'
import { COMMANDS, FIRST_WORDS, PROGRAM, toCommandName, toSecondWords } from './commands.ts'
import { UsageError } from './io.ts'
import { type Option, parseFlag, toCamelCase } from './option.ts'
import { OPTIONS, optionsOf } from './options.ts'

const SWITCHES: readonly Option[] = OPTIONS.filter(({ value }) => value.kind === 'switch')

/**
 * The command line for yargs, which misreads some words: `--watch=yes` as off, `-port` as `-p ort`, and what follows `--` as
 * nothing.
 * @throws {UsageError} naming the word.
 */
export function normalizeArgv(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  const own = end === -1 ? argv : argv.slice(0, end)
  const rest = argv.slice(own.length)
  const command = toCommandName(own)
  if (rest.length > 1 && COMMANDS[command]?.hasRest !== true)
    throw new UsageError(`${command} takes nothing after --. To run a command against a server: ${EXEC}`)
  return [...own.map(normalizeWord), ...rest]
}

const EXEC = `${PROGRAM} exec -- npm test`

function normalizeWord(word: string): string {
  const [, dashes = '', name = '', value] = /^(--?)([^=]+)(?:=(.*))?$/s.exec(word) ?? []
  if (dashes === '-' && OPTIONS.some((each) => each.name === name))
    throw new UsageError(`-${name} has one dash. Write --${name}.`)
  if (value === undefined) return word
  const isNegated = name.startsWith('no-')
  const positive = isNegated ? name.slice(3) : name
  const option = SWITCHES.find((each) => [each.name, toCamelCase(each.name), ...(each.alias ?? [])].includes(positive))
  if (option === undefined) return word
  const isOn = parseFlag(option, value, dashes + name)
  return `${dashes}${positive}=${isOn !== isNegated}`
}

/** The error to report for one of yargs: its own rejections come as a message, those of a flag's parser as an error. */
export function explainWrongUse(
  message: string | null,
  { error, argv }: { error: Error | undefined; argv: readonly string[] },
): Error {
  if (error !== undefined && error.name !== 'YError') return error
  const sentence = (message ?? error?.message ?? '').replaceAll(/\s+/g, ' ')
  const [, unknown] = /^Unknown (?:argument|command)s?: (.+)/.exec(sentence) ?? []
  if (unknown !== undefined) return new UsageError(explainUnknown(unknown.split(/[,\s]+/), argv))
  return new UsageError(sentence)
}

function explainUnknown(unknown: readonly string[], argv: readonly string[]): string {
  const command = toCommandName(argv)
  const flags = unknown.map((name) => argv.map((word) => word.split('=')[0]).find((word) => isFlag(word, name)))
  const index = flags.indexOf(undefined)
  if (index !== -1 && COMMANDS[command]?.hasRest === true) return `exec takes its command after --: ${EXEC}`
  const [flag] = flags
  return flag === undefined ? explainWord(unknown[0] ?? '', argv) : explainFlag(flag, command)
}

/** yargs names a flag without its dashes, and `--no-cors` as `cors`. */
function isFlag(word: string | undefined, name: string): boolean {
  return word === `-${name}` || word === `--${name}` || word === `--no-${name}`
}

function explainWord(word: string, argv: readonly string[]): string {
  const [first = ''] = argv
  if (toCommandName(argv) === 'serve' && (isShippedFixture(word) || /\.(?:jsonc?|ya?ml)$/i.test(word)))
    return `Unknown command ${word}. Do you mean --fixture ${word}? See ${PROGRAM} --help`
  const second = toSecondWords(first)
  const [names, help] = second.length === 0 ? [FIRST_WORDS, PROGRAM] : [second, `${PROGRAM} ${first}`]
  return `Unknown command ${word}.${suggest(word, names)} See ${help} --help`
}

function explainFlag(flag: string, command: string): string {
  const others = Object.keys(COMMANDS).filter((each) => listFlags(each).includes(flag))
  const hint =
    others.length === 0
      ? suggest(
          flag,
          listFlags(command).filter((each) => each.startsWith('--')),
        )
      : ` It is a flag of ${others.join(', ')}.`
  return `Unknown flag ${flag} for ${command}.${hint} See ${PROGRAM} ${command} --help`
}

function listFlags(command: string): readonly string[] {
  return optionsOf(command).flatMap(({ name, alias = [], of }) => [
    ...[name, ...alias].map((each) => `${each.length === 1 ? '-' : '--'}${each}`),
    ...(of[command] === true ? [`--no-${name}`] : []),
  ])
}
