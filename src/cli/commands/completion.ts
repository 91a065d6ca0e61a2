import type { Command } from '../command.ts'
import type { Flags } from '../options.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/**
 * Replaces yargs' own command, which has no script for fish and takes no name of a shell
 * (https://github.com/yargs/yargs/blob/v18.2.0/lib/completion.ts). yargs still supplies the words.
 */
export const completion: Command<Flags<'completion'> & { shell: Shell }> = {
  summary: 'print a script for shell completion',
  usage: '<shell>',
  positionals: { shell: { choices: SHELLS, demandOption: true, describe: 'the shell' } },
  examples: [['completion bash >> ~/.bashrc', 'the first lines of each script say how to install it']],
  async run({ shell }, io) {
    io.out(SCRIPTS[shell])
    return 0
  },
}

// With SHELL=bash yargs prints plain words; for zsh it would add descriptions in its own format. If it prints nothing,
// the shell completes file names.
const ASK = 'SHELL=bash petstore-mock --get-yargs-completions'

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# petstore-mock completion for bash. Install it with:
#   petstore-mock completion bash >> ~/.bashrc
_petstore_mock() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(${ASK} "\${COMP_WORDS[@]}")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _petstore_mock petstore-mock`,
  zsh: `#compdef petstore-mock
# petstore-mock completion for zsh. Install it with:
#   petstore-mock completion zsh >> ~/.zshrc
_petstore_mock() {
  local -a replies
  replies=("\${(@f)$(${ASK} "\${words[@]}")}")
  if [[ -n "\${replies[*]}" ]]; then compadd -- "\${replies[@]}"; else _files; fi
}
(( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit -u; }
compdef _petstore_mock petstore-mock`,
  fish: `# petstore-mock completion for fish. Install it with:
#   petstore-mock completion fish > ~/.config/fish/completions/petstore-mock.fish
function __petstore_mock_complete
  SHELL=bash command petstore-mock --get-yargs-completions (commandline -opc) (commandline -ct)
end
complete -c petstore-mock -a '(__petstore_mock_complete)'`,
}
