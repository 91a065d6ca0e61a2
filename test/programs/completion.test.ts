import { execFile } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { delimiter } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { FIRST_WORDS } from '../../src/cli/main.ts'
import { BIN } from '../cli/start-bin.ts'
import { makeFiles } from '../cli/state-folder.ts'
import { hasProgram } from '../machine.ts'

const run = promisify(execFile)
const { folder, write } = await makeFiles()

// A `petstore-mock` to be found on the PATH.
beforeAll(async () => {
  const program = await write('petstore-mock', `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`)
  await chmod(program, 0o755)
})

/** Loads the script as a shell's startup file does, and completes the last of the words as the Tab key does. */
const COMPLETE: Readonly<Record<string, string>> = {
  bash: `
    eval "$(petstore-mock completion)"
    COMP_WORDS=(petstore-mock "$@"); COMP_CWORD=$#
    [[ $(complete -p petstore-mock) =~ -F\\ ([^ ]+) ]] && "\${BASH_REMATCH[1]}"
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  // zsh has compdef, _describe and _default only where somebody types.
  zsh: `
    compdef() { complete=$1; }
    _describe() { print -rl -- $reply; }
    _default() { :; }
    eval "$(petstore-mock completion)"
    words=(petstore-mock "$@"); CURRENT=$#words
    $complete`,
}

describe('petstore-mock completion', () => {
  for (const [shell, script] of Object.entries(COMPLETE)) {
    describe.skipIf(!hasProgram(shell))(`in ${shell} (needs ${shell})`, () => {
      test.each<[typed: readonly string[], offered: readonly string[]]>([
        [[''], FIRST_WORDS],
        [['rec'], ['record']],
        [['serve', '--fi'], ['--fixture']],
        [['demo', '--po'], ['--port']],
        [
          ['fixture', ''],
          ['validate', 'generate'],
        ],
        [
          ['serve', '--log', ''],
          ['pretty', 'json', 'silent'],
        ],
        // The shell then completes file names.
        [['serve', '--state', 'fi'], []],
      ])('%j offers %j', async (typed, offered) => {
        // A shell warns of a locale that is not installed.
        const env = { SHELL: shell, LC_ALL: 'C', PATH: folder + delimiter + process.env['PATH'], HOME: folder }
        const { stdout, stderr } = await run(shell, ['-c', script, shell, ...typed], { env })
        expect(stderr).toBe('')
        // Of words with their descriptions, zsh itself leaves out those that begin otherwise.
        const words = stdout.split('\n').map((line) => line.replace(/:.*/, ''))
        const found = words.filter((word) => word !== '' && word.startsWith(typed.at(-1) ?? ''))
        expect(found.sort()).toEqual([...offered].sort())
      })
    })
  }
})
