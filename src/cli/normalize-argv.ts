import { parseOr } from '../http/schema.ts'
import { ALL_COMMANDS, hasRest, PROGRAM, toCommand } from './commands.ts'
import { showWords } from './explain-wrong-use.ts'
import { BOOLEAN, toCamelCase } from './flag-sources.ts'
import { UsageError } from './io.ts'

/** `--name=value`, `-n=value`, `--name` or `-name`. */
const FLAG = /^(--?)([^=]+)(?:=(.*))?$/s

const OPTIONS = Object.values(ALL_COMMANDS).flatMap(({ options = {} }) => Object.entries(options))
const LONG = new Set(OPTIONS.flatMap(([name]) => [name, `no-${name}`]))
const BOOLEANS = new Set(
  OPTIONS.filter(([, { type }]) => type === 'boolean').flatMap(([name, { alias = [] }]) =>
    [name, toCamelCase(name), alias].flat(),
  ),
)

/**
 * The command line for yargs, which misreads some words in silence: `--watch=yes` as off, `-port` as `-p ort`, and what
 * follows `--` as nothing.
 * @throws {UsageError} naming the word.
 */
export function normalizeArgv(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  const own = end === -1 ? argv : argv.slice(0, end)
  const rest = argv.slice(own.length)
  if (rest.length > 1 && !hasRest(argv)) throw new UsageError(explainRest(own, rest.slice(1)))
  return [...own.map(normalizeWord), ...rest]
}

function normalizeWord(word: string): string {
  const [, dashes, name = '', value] = FLAG.exec(word) ?? []
  if (dashes === '-' && LONG.has(name)) throw new UsageError(`-${name} has one dash. Write --${name}.`)
  if (value === undefined) return word
  const positive = name.replace(/^no-/, '')
  if (positive !== name && BOOLEANS.has(positive))
    throw new UsageError(`--${name} takes no value. Write --${name} or --${positive}=false.`)
  if (!BOOLEANS.has(name)) return word
  const subject = `${dashes}${name}`
  return `${subject}=${parseOr(BOOLEAN, value, { subject, refuse: (sentence) => new UsageError(sentence) })}`
}

function explainRest(own: readonly string[], rest: readonly string[]): string {
  const command = toCommand(own)
  const [first = ''] = showWords(rest)
  if (command !== 'serve' || first.startsWith('-'))
    return `${command} takes nothing after --, got ${first}. Leave out the --.`
  const flags = showWords(own).filter((word) => word !== 'serve' && word !== 'exec')
  const line = ['exec', ...flags, '--', ...showWords(rest)].join(' ')
  return `serve runs no command. To run it against a server: ${PROGRAM} ${line}`
}
