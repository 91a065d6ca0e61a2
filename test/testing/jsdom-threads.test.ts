import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'

const SUITE = resolve(import.meta.dirname, 'jsdom-suite')
const ROOT = resolve(import.meta.dirname, '../..')
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const run = promisify(execFile)

interface Output {
  readonly stdout: string
  readonly stderr: string
}

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
}

describe('in jsdom, in the thread pool', () => {
  test('the mocks of files that run at once hear nothing of each other', { timeout: 120_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'report.json')
    const args = ['run', '--config', `${SUITE}/vitest.config.ts`, '--reporter', 'json', '--outputFile', file]
    const { stdout, stderr } = await run(process.execPath, [VITEST, ...args], { cwd: ROOT }).catch(
      (error: Output) => error,
    )
    const report = await readFile(file, 'utf8').catch(() => stdout + stderr)
    const { numPassedTests, numFailedTests } = JSON.parse(report) as Report
    expect({ numPassedTests, numFailedTests }, report).toEqual({ numPassedTests: 4, numFailedTests: 0 })
  })
})
