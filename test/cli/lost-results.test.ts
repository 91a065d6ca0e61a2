import { rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { serveOther } from '../check/other-service.ts'
import { runCli } from './run-cli.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  await writeFile(join(folder, 'file'), '')
  return () => rm(folder, { recursive: true })
})

test.each([
  ['--write-profile', 'nowhere/p.json', 'ENOENT'],
  ['--write-profile', 'file/p.json', 'ENOTDIR'],
  ['--write-profile', '.', 'it is a folder'],
  ['--record', 'nowhere/f.json', 'ENOENT'],
  ['--record', '.', 'it is a folder'],
])('check URL --write %s %s is refused before the first request', async (flag, name, reason) => {
  await using service = await serveOther()
  const path = join(folder, name)
  const { code, err } = await runCli('check', service.url, '--write', flag, path)
  expect([code, err]).toEqual([2, expect.stringContaining(`${flag}: ${path} cannot be written (${reason}`)])
  expect(service.requests).toEqual([])
})

test('check --write-profile prints the points of a service even if the file can no longer be written', async () => {
  const own = await mkdtemp(join(folder, 'gone-'))
  await using service = await serveOther({
    tamper: () => {
      rmSync(own, { recursive: true, force: true })
      return undefined
    },
  })
  const { code, out, err } = await runCli('check', service.url, '--write-profile', join(own, 'p.json'))
  expect([code, err]).toEqual([2, expect.stringContaining('cannot be written (ENOENT')])
  expect(out).toMatch(/^challenge +send +omit$/m)
})
