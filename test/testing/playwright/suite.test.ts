import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../cli/state-folder.ts'
import { runProgram } from '../../run-program.ts'

const SUITE = resolve(import.meta.dirname, '../playwright-suite')

interface Report {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number }
  readonly errors: readonly unknown[]
}

test('Playwright Test runs the suite of its fixtures', { timeout: 180_000 }, async () => {
  const program = ['node_modules/@playwright/test/cli.js', 'test', '--config', SUITE, '--reporter', 'json']
  const args = [...program, '--output', await makeFolder()]
  const { stdout, output } = await runProgram(process.execPath, args, { timeout: 170_000 })
  const { stats, errors } = JSON.parse(stdout || JSON.stringify({ errors: output })) as Report
  expect({ ...stats, errors }, output).toMatchObject({ unexpected: 0, flaky: 0, errors: [] })
  expect(stats.expected).toBeGreaterThan(25)
})
