import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { runProgram } from '../run-program.ts'

const MISSING = 'error while loading shared libraries: libnss3.so: cannot open shared object file'
const PROBLEM = `The tests in Chromium cannot run, since it does not start here: ${MISSING}. Install Chrome, and set CHROME_PATH to its program.`

describe.runIf(process.platform === 'linux')('where Chromium does not start', () => {
  let path: string
  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    path = join(folder, 'chrome')
    await writeFile(path, `#!/bin/sh\necho '${MISSING}' >&2\nexit 127\n`)
    await chmod(path, 0o755)
  })

  test('one sentence says why and what to do, its tests are skipped, and the others run', async () => {
    const { exitCode, stdout, stderr } = await listTests({ CHROME_PATH: path, CI: '' })
    // The machine may lack other browsers, too.
    expect(stderr.split('\n')).toContain(`${PROBLEM} Until then they are skipped.`)
    expect(stdout).toContain('[programs] test/tools/chromium.test.ts')
    expect(stdout).not.toMatch(/^\[(chromium|pages)\]/m)
    expect(exitCode).toBe(0)
  })

  test('the run fails where CI is set', async () => {
    const { exitCode, stderr } = await listTests({ CHROME_PATH: path, CI: 'true' })
    expect(stderr).toContain(PROBLEM)
    expect(exitCode).toBe(1)
  })
})

function listTests(env: Readonly<Record<string, string>>) {
  return runProgram('vitest/vitest.mjs', ['list', '--filesOnly'], { env, timeout: 60_000 })
}
