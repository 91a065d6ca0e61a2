import type { Options, PositionalOptions } from 'yargs'
import type { AnyCommand } from '../../src/cli/command.ts'
import { ALL_COMMANDS, PROGRAM } from '../../src/cli/commands.ts'
import { toCode, toHead, toPage, toTable } from './markdown.ts'

const INTRO = `Every command and flag of the program. The same list is in \`${PROGRAM} --help\` and \`${PROGRAM} COMMAND --help\`.

Every flag is also an environment variable: \`--quantity-max 5\` is \`PETSTORE_MOCK_QUANTITY_MAX=5\`. Commands with
\`--config FILE\` read flags from a JSON file, by their name or in camel case. The command line takes precedence over the
environment, and the environment over the file. \`--profile\`, \`--record\` and \`--force\` of \`check\` are read from the
command line only, because they name what is written. [The server](../server.md#commands) lists the exit codes.`

/** `docs/reference/cli.md`, from what the commands declare. */
export function toCliReference(): string {
  return toPage([toHead('Command line', INTRO), ...Object.entries(ALL_COMMANDS).flatMap(describeCommand)])
}

function describeCommand([usage, command]: [string, AnyCommand]): string[] {
  const { summary, positionals = {}, options = {}, examples = [], hasConfig } = command
  const serve = ALL_COMMANDS['serve']?.options ?? {}
  const inherited =
    command === ALL_COMMANDS['serve'] ? [] : Object.keys(options).filter((name) => isSame(options[name], serve[name]))
  const isServeLike = inherited.length > Object.keys(serve).length / 2
  const left = isServeLike ? Object.keys(serve).filter((name) => options[name] === undefined) : []
  const own = Object.entries(options).filter(([name]) => !isServeLike || !inherited.includes(name))
  return [
    `## ${toCode(usage)}`,
    `${toSentence(summary)}${hasConfig ? ' Takes `--config FILE`.' : ''}`,
    isServeLike
      ? `Takes the flags of [serve](#serve)${left.length === 0 ? '' : `, except ${left.map((name) => `\`--${name}\``).join(', ')}`}. These differ:`
      : '',
    toTable(['argument', 'meaning'], Object.entries(positionals).map(describePositional)),
    toTable(['flag', 'default', 'meaning'], own.map(describeFlag)),
    toTable(
      ['example', 'what it does'],
      examples.map(([line, does]) => [toCode(`${PROGRAM} ${line}`), does]),
    ),
  ]
}

/** Whether a flag is that of `serve`, with the same default and text. */
function isSame(flag: Options | undefined, other: Options | undefined): boolean {
  return flag?.describe === other?.describe && flag?.default === other?.default
}

/** Without its default, which can depend on the machine. */
function describePositional([name, { describe = '', choices = [] }]: [string, PositionalOptions]): string[] {
  return [toCode(name), `${describe}${listChoices(choices)}`]
}

function describeFlag([name, { alias, choices, default: value, describe = '', demandOption }]: [
  string,
  Options,
]): string[] {
  const names = [name, alias ?? []].flat()
  const short = names.filter((each) => each.length === 1).map((each) => toCode(`-${each}`))
  const long = names.filter((each) => each.length > 1).map((each) => toCode(`--${each}`))
  const flags = [...short, ...long].join(', ')
  const standard = demandOption ? 'required' : toStandard(value)
  return [flags, standard, `${describe}${listChoices(choices ?? [])}`]
}

function listChoices(choices: Options['choices'] & object): string {
  return choices.length === 0 ? '' : `: ${choices.map((choice) => toCode(String(choice))).join(', ')}`
}

function toStandard(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return value === undefined ? '' : toCode(String(value))
}

function toSentence(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`
}
