import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runProgram } from '../run-program.ts'

const SUITE = resolve(import.meta.dirname, 'playwright-suite')

interface Report {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number }
  readonly errors: readonly unknown[]
}

describe('Playwright Test', () => {
  test('runs the suite of its fixtures', { timeout: 180_000 }, async () => {
    const output = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
    onTestFinished(() => rm(output, { recursive: true }))
    const args = ['test', '--config', SUITE, '--output', output, '--reporter', 'json']
    const { stdout, stderr } = await runProgram('@playwright/test/cli.js', args, { timeout: 170_000 })
    const { stats, errors } = JSON.parse(stdout || JSON.stringify({ errors: stderr })) as Report
    expect({ ...stats, errors }, stdout + stderr).toMatchObject({ unexpected: 0, flaky: 0, errors: [] })
    expect(stats.expected).toBeGreaterThan(25)
  })
})
