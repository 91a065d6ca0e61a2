import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runCli } from './run-cli.ts'

let pipe: string
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  pipe = join(folder, 'pipe.json')
  execFileSync('mkfifo', [pipe])
  return () => rm(folder, { recursive: true })
})

// Opening a named pipe waits for its writer, and no signal ended the program meanwhile.
test.each(['--profile', '--stubs', '--fixture'])('serve %s with a named pipe is refused', async (flag) => {
  const { code, err } = await runCli('serve', '--port', '0', flag, pipe)
  expect([code, err]).toEqual([2, expect.stringContaining(`${pipe} cannot be read (it is a named pipe)`)])
})

test.each(['--diff', '--max-age=3'])('check %s --record with a named pipe is refused', async (flag) => {
  const { code, err } = await runCli('check', 'http://127.0.0.1:1', flag, '--record', pipe)
  expect([code, err]).toEqual([2, `petstore-mock: --record: ${pipe} must be a regular file.`])
})
