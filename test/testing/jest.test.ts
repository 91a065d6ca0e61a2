import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runProgram } from '../run-program.ts'

const CONFIG = resolve(import.meta.dirname, 'jest-suite/jest.config.js')

describe('Jest', () => {
  test('exits by itself', { timeout: 120_000 }, async () => {
    // In one process: workers would be ended whatever they hold.
    const args = ['--config', CONFIG, '--runInBand', '--json']
    const env = { NODE_OPTIONS: '--experimental-vm-modules' }
    const { exitCode, stdout, stderr } = await runProgram('jest/bin/jest.js', args, { env, timeout: 110_000 })
    expect(JSON.parse(stdout || '{}'), stderr).toMatchObject({ numPassedTests: 6, numFailedTests: 0, success: true })
    expect(stderr).not.toContain('did not exit')
    expect(exitCode).toBe(0)
  })
})
