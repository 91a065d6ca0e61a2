import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { spawnBin } from '../cli/start-bin.ts'

const CONSUMER = resolve(import.meta.dirname, 'consumer')
const VITEST = resolve('node_modules/vitest/vitest.mjs')

async function mutate(flags: readonly string[], line: readonly string[], env: Readonly<Record<string, string>> = {}) {
  await using bin = spawnBin(['mutate', ...flags, '--', process.execPath, ...line], { env })
  return { code: await bin.exit, out: bin.out(), err: bin.err() }
}

describe('petstore-mock mutate', () => {
  test('tells a careless suite that uses a server which tests are missing', async () => {
    const { code, out } = await mutate(['--jobs', '2', '--only', 'update'], [`${CONSUMER}/on-server.mjs`, 'careless'])
    expect(code).toBe(1)
    expect(out).toMatch(
      /^Findings\n- A lost update went unnoticed: .* No test reads the stock again after an update\.\n/,
    )
    expect(out).toMatch(/^open-update +defect +not reached +0 ms$/m)
  })

  test('a careful suite with a mock in its process notices a defect, and bears what is allowed', async () => {
    const line = [VITEST, 'run', '--root', CONSUMER]
    const { code, out, err } = await mutate(['-j2', '--only', 'status'], line, { SUITE: 'careful' })
    const table = /^No findings\n\nchanged-status +defect +noticed .*\nnew-status +allowed +unnoticed .*\n$/
    expect([code, out]).toEqual([0, expect.stringMatching(table)])
    expect(err).toMatch(/^1 of 2: .*: (?:un)?noticed\n2 of 2: .*\n$/)
  })

  test('shows the output of tests that fail on the sound mock', async () => {
    const { code, out, err } = await mutate([], ['-e', 'console.log("no database"); process.exit(3)'])
    expect([code, out, err]).toEqual([2, '', expect.stringContaining('no database\n')])
  })

  test.runIf(process.platform !== 'win32')('ends a run at its limit, also if a process of it goes on', async () => {
    const hang = `process.env.PETSTORE_MOCK_MUTANT === 'none' ? import('${CONSUMER}/on-server.mjs') : (require('child_process').spawn('sleep', ['60'], { detached: true, stdio: 'inherit' }).unref(), setInterval(() => {}, 1000))`
    const { code, out } = await mutate(['--timeout', '3s', '--only', 'lost'], ['-e', hang, '--', 'careful', 'careful'])
    expect([code, out]).toEqual([0, expect.stringMatching(/^No findings\n\nlost-update +defect +timed out /)])
  })
})
