import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasProgram } from '../machine.ts'
import { runCli, runCliIn } from './run-cli.ts'

const run = promisify(execFile)
const BIN = resolve(import.meta.dirname, '../../src/cli/bin.ts')

/** A folder with a `petstore-mock` to be found on the PATH, and its completion scripts. */
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  const program = join(folder, 'petstore-mock')
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`)
  await chmod(program, 0o755)
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout } = await run(program, ['completion', shell])
    await writeFile(join(folder, shell), stdout)
  }
  return () => rm(folder, { recursive: true })
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

      test('offers commands', async () => {
        expect(await complete('rec')).toContain('record')
      })

      test('offers the flags of a command', async () => {
        expect(await complete('demo', '--po')).toContain('--port')
      })

      test.each(['--fixture', '--state', '--port'])('says nothing where %s needs a value', async (flag) => {
        // The shell completes file names instead.
        await complete('serve', flag, "''")
      })
    })
  }

  test('without a shell it is that of $SHELL, and an unknown one is refused', async () => {
    for (const shell of ['bash', 'zsh', 'fish'])
      expect((await runCliIn({ SHELL: `/usr/bin/${shell}` }, 'completion')).out).toContain(`completion for ${shell}`)
    expect(await runCliIn({ SHELL: '/bin/tcsh' }, 'completion')).toEqual({
      code: 2,
      out: '',
      err: 'petstore-mock: There is no completion for /bin/tcsh, the shell in $SHELL. Name one: bash, zsh, fish.',
    })
    expect((await runCli('completion', 'tcsh')).code).toBe(2)
  })
})
