import yargs from 'yargs'
import type { Command } from '../command.ts'
import type { Flags } from '../options.ts'

export const completion: Command<Flags<'completion'>> = {
  summary: 'print a script for shell completion, for bash or zsh as $SHELL says',
  examples: [
    ['completion >> ~/.bashrc', 'bash'],
    ['completion >> ~/.zshrc', 'zsh, where compinit comes first'],
  ],
  // With a default command and exitProcess(false), yargs prints the script and then runs the default command, which refuses
  // the word `completion`. A parser without commands has none.
  async run(_given, io) {
    const parser = yargs().scriptName('petstore-mock').completion().exitProcess(false)
    await parser.parseAsync('completion', {}, (_error, _flags, script) => io.out(script))
    return 0
  },
}
