import { execFile } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { delimiter } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasProgram } from '../machine.ts'
import { runCli } from './run-cli.ts'
import { BIN } from './start-bin.ts'
import { makeFiles } from './state-folder.ts'

const run = promisify(execFile)
const { folder, write } = await makeFiles()

// A `petstore-mock` to be found on the PATH.
beforeAll(async () => {
  const program = await write('petstore-mock', `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`)
  await chmod(program, 0o755)
})

/** What a shell offers behind `petstore-mock` and these words. */
const ASK: Readonly<Record<string, (words: readonly string[]) => string>> = {
  bash: (words) =>
    `source '${folder}/bash'; COMP_WORDS=(petstore-mock ${words.join(' ')}); COMP_CWORD=${words.length}; _petstore_mock; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (words) =>
    `compdef() { :; }; compadd() { shift; printf '%s\\n' "$@"; }; _files() { :; }; source '${folder}/zsh'; words=(petstore-mock ${words.join(' ')}); _petstore_mock`,
  fish: (words) => `source '${folder}/fish'; complete -C 'petstore-mock ${words.join(' ')}'`,
}

describe('petstore-mock completion', () => {
  for (const [shell, toScript] of Object.entries(ASK)) {
    describe.skipIf(!hasProgram(shell))(`in ${shell} (needs ${shell})`, () => {
      const complete = async (...words: string[]): Promise<string[]> => {
        // A shell warns of a locale that is not installed.
        const env = { ...process.env, LC_ALL: 'C', PATH: folder + delimiter + process.env['PATH'], HOME: folder }
        const { stdout, stderr } = await run(shell, ['-c', toScript(words)], { env })
        expect(stderr).toBe('')
        return stdout.split('\n').filter((line) => line !== '')
      }

      test('offers commands and flags, and where a flag needs a value leaves it to the shell, which has file names', async () => {
        await write(shell, (await runCli('completion', shell)).out)
        expect(await complete('rec')).toContain('record')
        expect(await complete('demo', '--po')).toContain('--port')
        // Says nothing.
        await complete('serve', '--state', "''")
      })
    })
  }
})
