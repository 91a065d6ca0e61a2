import type { Command } from './command.ts'
import { check } from './commands/check.ts'
import { completion } from './commands/completion.ts'
import { demo, demoBuild } from './commands/demo.ts'
import { exec } from './commands/exec.ts'
import { generate, record, validate } from './commands/fixture.ts'
import { init } from './commands/init.ts'
import { mutate } from './commands/mutate.ts'
import { serve } from './commands/serve.ts'
import type { CommandName } from './options.ts'

export const PROGRAM = 'petstore-mock'

export const COMMANDS: Readonly<Record<CommandName, Command>> = {
  serve,
  exec,
  mutate,
  check,
  record,
  init,
  completion,
  demo,
  'demo build': demoBuild,
  'fixture validate': validate,
  'fixture generate': generate,
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
