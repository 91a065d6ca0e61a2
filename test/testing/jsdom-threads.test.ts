import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runProgram } from '../run-program.ts'

const CONFIG = resolve(import.meta.dirname, 'jsdom-suite/vitest.config.ts')

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
}

describe('in jsdom, in the thread pool', () => {
  test('the mocks of files that run at once hear nothing of each other', { timeout: 120_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'report.json')
    const args = ['run', '--config', CONFIG, '--reporter', 'json', '--outputFile', file]
    const { stdout, stderr } = await runProgram('vitest/vitest.mjs', args, { timeout: 110_000 })
    const report = await readFile(file, 'utf8').catch(() => stdout + stderr)
    const { numPassedTests, numFailedTests } = JSON.parse(report) as Report
    expect({ numPassedTests, numFailedTests }, report).toEqual({ numPassedTests: 4, numFailedTests: 0 })
  })
})
