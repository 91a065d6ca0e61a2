import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { copyRequest, isPrintable } from '../../src/console/state/reuse-request.ts'
import { createRandom } from '../../src/store/generate-fixture.ts'
import { makeFolder } from '../cli/state-folder.ts'
import { TARGET, toEntry } from '../console-logic/to-entry.ts'
import { hasProgram } from '../machine.ts'

test.skipIf(process.platform === 'win32')(
  'curl gets the text in every shell, and no text that a terminal would obey',
  async () => {
    const texts = [...SHELL_TEXTS, ...drawTexts(100)]
    const toPost = (body: string) => toEntry({ method: 'POST', body, headers: { 'x-note': toNote(body) } })
    const lines = texts.map((body) => copyRequest.curl(toPost(body), TARGET))
    expect(texts.map(toPost).every(isPrintable)).toBe(true)
    for (const control of ['\x1b[201~', '\x15', '\r', '\0', '\u009b'])
      expect(isPrintable(toPost(`a${control}`))).toBe(false)
    // In place of the real program: prints the header and the body.
    const folder = await makeFolder()
    await writeFile(join(folder, 'curl'), FAKE_CURL, { mode: 0o755 })
    const wanted = texts.map((text) => `x-note: ${toNote(text)}<${text}>`).join('')
    for (const shell of ['sh', 'bash', 'zsh', 'fish'].filter((name) => name === 'sh' || hasProgram(name))) {
      const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` }
      const options = { cwd: folder, env, maxBuffer: 1e9 }
      const { stdout } = await promisify(execFile)(shell, ['-c', lines.join('\n')], options)
      expect({ shell, stdout }).toEqual({ shell, stdout: wanted })
      expect(await readdir(folder)).toEqual(['curl'])
    }
  },
)

const SHELL_TEXTS = [
  "\\'; touch PWNED; #",
  '$(touch PWNED)`touch PWNED`\n"$(touch PWNED)"',
  '-n\n\n',
  '--%s%%!!\\',
  'aü\u{1f600}7',
]

/** Texts of what means something to a shell; always the same ones. */
function drawTexts(count: number): string[] {
  const pieces = [...'\'"\\$`%!-#&;|<> 07xnü(){}[]*?~^', '\n', 'touch PWNED']
  const draw = createRandom(7)
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + Math.floor(draw() * 12) }, () => pieces[Math.floor(draw() * pieces.length)]).join(''),
  )
}

/** What a header can have of a text, more or less. */
const toNote = (text: string): string => `n${text.replaceAll('\n', '')}`

const FAKE_CURL = `#!/bin/sh
# The arguments: -X POST -H AUTHORIZATION -H NOTE --data… BODY URL
for last in "$@"; do :; done
while [ $# -gt 3 ]; do
  case "$2" in x-note*) printf %s "$2";; esac
  shift
done
printf '<%s>' "$2"
`
