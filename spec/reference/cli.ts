import type { PositionalOptions } from 'yargs'
import type { Command } from '../../src/cli/command.ts'
import { COMMANDS, PROGRAM } from '../../src/cli/main.ts'
import { type Option, optionsOf, REQUIRED } from '../../src/cli/options.ts'
import { toCode, toHead, toPage, toTable } from './markdown.ts'

const INTRO = `Every command and flag of the program. The same list is in \`${PROGRAM} --help\` and \`${PROGRAM} COMMAND --help\`.

Most flags are environment variables, too: \`--quantity-max 5\` is \`PETSTORE_MOCK_QUANTITY_MAX=5\`. Commands with
\`--config FILE\` read flags from a JSON file, by their names. The command line takes precedence over the
environment, and the environment over the file. Only the command line can pass \`--force\` and the files of \`check\`, because
they decide what is overwritten. [The server](../server.md#commands) lists the exit codes.`

/** `docs/reference/cli.md`, from the commands and the table of options. */
export function toCliReference(): string {
  return toPage([toHead('Command line', INTRO), ...Object.entries(COMMANDS).flatMap(describeCommand)])
}

function describeCommand([name, { summary, usage, positionals = {}, examples }]: [string, Command]): string[] {
  const serve = optionsOf('serve')
  const options = optionsOf(name)
  const inherited = name === 'serve' ? [] : options.filter((option) => isSame(option, name))
  const isServeLike = inherited.length > serve.length / 2
  const left = serve.filter((option) => options.every((each) => each.name !== option.name))
  const own = options.filter((option) => !isServeLike || !inherited.includes(option))
  return [
    `## ${toCode(usage === undefined ? name : `${name} ${usage}`)}`,
    toSentence(summary),
    isServeLike
      ? `Takes the flags of [serve](#serve)${left.length === 0 ? '' : `, except ${left.map((each) => `\`--${each.name}\``).join(', ')}`}. These differ:`
      : '',
    toTable(['argument', 'meaning'], Object.entries(positionals).map(describePositional)),
    toTable(
      ['flag', 'default', 'meaning'],
      own.map((option) => describeFlag(option, name)),
    ),
    toTable(
      ['example', 'what it does'],
      examples.map(([line, does]) => [toCode(`${PROGRAM} ${line}`), does]),
    ),
  ]
}

/** Whether a flag is that of `serve`, with the same default. */
function isSame({ of }: Option, command: string): boolean {
  return 'serve' in of && of['serve'] === of[command]
}

/** Without its default, which can depend on the machine. */
function describePositional([name, { describe = '', choices = [] }]: [string, PositionalOptions]): string[] {
  return [toCode(name), `${describe}${listChoices(choices.map(String))}`]
}

function describeFlag({ name, alias = [], value, help, of }: Option, command: string): string[] {
  const names = [name, ...alias]
  const short = names.filter((each) => each.length === 1).map((each) => toCode(`-${each}`))
  const long = names.filter((each) => each.length > 1).map((each) => toCode(`--${each}`))
  const standard = of[command] === REQUIRED ? 'required' : toStandard(of[command])
  return [[...short, ...long].join(', '), standard, `${help}${listChoices(value?.choices ?? [])}`]
}

function listChoices(choices: readonly string[]): string {
  return choices.length === 0 ? '' : `: ${choices.map(toCode).join(', ')}`
}

function toStandard(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return value === undefined ? '' : toCode(String(value))
}

function toSentence(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`
}
