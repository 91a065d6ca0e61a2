import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

test('the published types compile alone, without skipLibCheck', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'node_modules'))
  await symlink(ROOT, join(folder, 'node_modules/petstore-mock'), 'junction')
  const entries = ['', '/node', '/server', '/browser', '/client', '/msw', '/vitest', '/playwright']
  await writeFile(join(folder, 'index.mts'), entries.map((entry) => `import 'petstore-mock${entry}'\n`).join(''))
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', '']
  const run = promisify(execFile)(process.execPath, [
    join(ROOT, 'node_modules/@typescript/native/bin/tsc'),
    ...options,
    join(folder, 'index.mts'),
  ])
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  // Those of other packages are not ours to mend.
  expect(stdout.split('\n').filter((line) => line.includes('dist/types'))).toEqual([])
})
