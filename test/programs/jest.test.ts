import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from '../run-program.ts'

const CONFIG = resolve(import.meta.dirname, '../testing/jest-suite/jest.config.js')

test('Jest exits by itself', { timeout: 120_000 }, async () => {
  // In one process: workers would be ended whatever they hold.
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--runInBand', '--json']
  const { exitCode, stdout, stderr } = await runProgram(process.execPath, [...jest, '--config', CONFIG])
  expect(JSON.parse(stdout || '{}'), stderr).toMatchObject({ numPassedTests: 9, numFailedTests: 0, success: true })
  expect(stderr).not.toContain('did not exit')
  expect(exitCode).toBe(0)
})
