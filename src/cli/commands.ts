import type { AnyCommand } from './command.ts'
import { check } from './commands/check.ts'
import { completion } from './commands/completion.ts'
import { demo } from './commands/demo.ts'
import { demoBuild } from './commands/demo-build.ts'
import { exec } from './commands/exec.ts'
import { generate, validate } from './commands/fixture.ts'
import { init } from './commands/init.ts'
import { record } from './commands/record.ts'
import { serve } from './commands/serve.ts'

export const PROGRAM = 'petstore-mock'

/** Commands by their usage: `check [url]`. */
export type Commands = Readonly<Record<string, AnyCommand>>

/** The commands of one word. */
export const COMMANDS: Commands = {
  serve,
  exec,
  'check [url]': check,
  'record <url>': record,
  'init <dir>': init,
  'completion [shell]': completion,
}

/** Commands of two words with the same first word. */
export interface Group {
  readonly summary: string
  /** The command of the first word alone. */
  readonly command?: AnyCommand
  readonly commands: Commands
}

export const GROUPS: Readonly<Record<string, Group>> = {
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

/** The first words of all commands. */
export const COMMAND_NAMES: readonly string[] = [...Object.keys(COMMANDS).map(toName), ...Object.keys(GROUPS)]

/** The name in a command's usage: `validate <files..>`. */
export function toName(usage: string): string {
  return usage.split(' ')[0] ?? ''
}

/** The command of a command line: `serve`, `demo build`. */
export function toCommand([first = '', second = '']: readonly string[]): string {
  if (toGroupNames(first).includes(second)) return `${first} ${second}`
  return COMMAND_NAMES.includes(first) ? first : 'serve'
}

export function toGroupNames(name: string): readonly string[] {
  return Object.keys(GROUPS[name]?.commands ?? {}).map(toName)
}

/** Whether the command keeps the arguments after `--`. */
export function hasRest([name]: readonly string[]): boolean {
  return name !== undefined && COMMANDS[name]?.hasRest === true
}
