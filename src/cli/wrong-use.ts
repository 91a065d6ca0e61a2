import { suggest } from '../http/quote.ts'
import { isShippedFixture } from '../store/seed.ts'
import { COMMANDS, FIRST_WORDS, PROGRAM, toCommandName, toSecondWords } from './commands.ts'
import { UsageError } from './io.ts'
import { optionsOf } from './options.ts'

interface YargsFailure {
  /** Of yargs' own rejections. */
  readonly message: string | null
  /** Of a command that has failed. */
  readonly error: Error | undefined
  readonly argv: readonly string[]
}

/** The error to report for one of yargs. It adds to what yargs says of an unknown name what the user may have meant. */
export function explainWrongUse({ message, error, argv }: YargsFailure): Error {
  if (error !== undefined && error.name !== 'YError') return error
  const sentence = (message ?? error?.message ?? '').replaceAll(/\s+/g, ' ')
  const [, unknown] = /^Unknown (?:argument|command)s?: (.+)/.exec(sentence) ?? []
  if (unknown === undefined) return new UsageError(sentence)
  const command = toCommandName(argv)
  const [word = '', ...more] = unknown.split(', ')
  const flags = [word, ...more].map((name) => argv.find((each) => isFlag(each, name)))
  if (flags.includes(undefined) && COMMANDS[command]?.hasRest === true)
    return new UsageError(`exec takes its command after --: ${PROGRAM} exec -- npm test`)
  const [flag] = flags
  return new UsageError(flag === undefined ? explainWord(word, argv) : explainFlag(flag, command))
}

/** yargs names a flag without its dashes, and `--no-cors` as `cors`. */
function isFlag(word: string, name: string): boolean {
  const [, flag = ''] = /^--?([^=]+)/.exec(word) ?? []
  return flag === name || flag === `no-${name}`
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
  const [name = ''] = flag.split('=')
  const known = optionsOf(command).map((option) => `--${option.name}`)
  return `Unknown flag ${name} for ${command}.${suggest(name.replace(/^--no-/, '--'), known)} See ${PROGRAM} ${command} --help`
}
