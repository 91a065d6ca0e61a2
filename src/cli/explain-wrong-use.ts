import { HIDDEN, hideInAddress } from '../http/hide-credentials.ts'
import { suggest } from '../http/suggest.ts'
import { isShippedFixture } from '../store/seed.ts'
import type { AnyCommand } from './command.ts'
import { ALL_COMMANDS, COMMAND_NAMES, hasRest, PROGRAM, toCommand, toGroupNames } from './commands.ts'
import { UsageError } from './io.ts'

/** The error to report for one of yargs: its own rejections come as a message, those of a flag's parser as an error. */
export function explainWrongUse(
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
  if (flag !== undefined)
    return new UsageError(`${flag.length === 1 ? '-' : '--'}${flag} needs a value. See ${PROGRAM} --help`)
  if (/^Not enough non-option arguments/.test(sentence)) return new UsageError(explainMissing(toCommand(argv)))
  const [, name, value, choices] = /^Invalid values: Argument: (\S+), Given: (.*), Choices: (.*)/.exec(sentence) ?? []
  if (name !== undefined)
    return new UsageError(`--${name} must be one of ${choices?.replaceAll('"', '')}, got ${value}.`)
  return new UsageError(sentence)
}

function explainMissing(command: string): string {
  const usage = Object.keys(ALL_COMMANDS).find((each) => toCommand(each.split(' ')) === command)
  return `${command} needs an argument: ${PROGRAM} ${usage}`
}

/** yargs names a flag without its dashes, and `--no-cors` as `cors`. */
function explainUnknown(unknown: string, argv: readonly string[]): string {
  const [first = ''] = argv
  const name = argv.some((arg) => arg.split('=')[0] === `--no-${unknown}`) ? `no-${unknown}` : unknown
  const group = toGroupNames(first)
  const isShort = name.length === 1 && argv.some((arg) => /^-[a-z]/i.test(arg) && arg.split('=')[0]?.includes(name))
  const isFlag = isShort || argv.some((arg) => /^-+([^=]+)/.exec(arg)?.[1] === name)
  if (!isFlag) {
    if (toCommand(argv) === 'serve' && isFixtureLike(name))
      return `Unknown command ${name}. Do you mean --fixture ${name}? See ${PROGRAM} --help`
    const [names, help] = group.length === 0 ? [COMMAND_NAMES, PROGRAM] : [group, `${PROGRAM} ${first}`]
    return `Unknown command ${name}.${suggest(name, names)} See ${help} --help`
  }
  const command = toCommand(argv)
  const [, own] = Object.entries(ALL_COMMANDS).find(([usage]) => toCommand(usage.split(' ')) === command) ?? []
  const others = Object.entries(ALL_COMMANDS).flatMap(([usage, each]) =>
    listFlags(each).includes(name) ? toCommand(usage.split(' ')) : [],
  )
  const hint =
    others.length > 0
      ? ` It is a flag of ${listNames(others)}.`
      : suggest(
          name,
          listFlags(own).filter((flag) => flag.length > 1),
        ).replace('mean ', 'mean --')
  return `Unknown flag ${isShort ? '-' : '--'}${name} for ${command}.${hint} See ${PROGRAM} ${command} --help`
}

function isFixtureLike(word: string): boolean {
  return isShippedFixture(word) || /\.(?:jsonc?|ya?ml)$/i.test(word)
}

function listFlags({ options = {}, hasConfig = false }: Partial<AnyCommand> = {}): readonly string[] {
  const negated = Object.keys(options).filter((name) => options[name]?.default === true)
  const aliases = Object.values(options).flatMap(({ alias = [] }) => alias)
  return [...Object.keys(options), ...aliases, ...negated.map((name) => `no-${name}`), ...(hasConfig ? ['config'] : [])]
}

function listNames(names: readonly string[]): string {
  return names.length === 1 ? String(names[0]) : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** A flag whose value, in the next word, is a credential. */
const SECRET_FLAG = /^(?:--(?:(?:api-?)?key|control-?token)|-q*k)$/i
/** The same with the value in one word: `--api-key=value`, `-k=value` and `-k4711`. */
const SECRET_ASSIGNMENT = /^(--(?:(?:api-?)?key|control-?token)=|-q*k=?).+/is

/**
 * Shows the `exec` command line with the missing `--`, with keys redacted.
 * @param unknown The words that are no flags of the program.
 */
function explainMisplaced(unknown: readonly string[], argv: readonly string[]): string | undefined {
  const [command, ...given] = argv
  const words = showWords(given)
  const start = words.findIndex((word) => unknown.includes(word))
  if (start === -1 || words.slice(0, start).includes('--')) return undefined
  const line = [...words.slice(0, start), '--', ...words.slice(start)].join(' ')
  return `${command} takes its command after --: petstore-mock ${command} ${line}`
}

/** The words of a command line, with keys redacted. */
export function showWords(words: readonly string[]): string[] {
  return words.map((word, index) => hideKey(word, words[index - 1]))
}

function hideKey(word: string, before = ''): string {
  if (SECRET_FLAG.test(before)) return HIDDEN
  return hideInAddress(word.replace(SECRET_ASSIGNMENT, `$1${HIDDEN}`))
}
