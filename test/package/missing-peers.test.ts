import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

/** A project with the package and its dependency, without any of its peers. */
let project: string
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  const installed = join(project, 'node_modules/petstore-mock')
  await mkdir(join(project, 'node_modules/@mswjs'), { recursive: true })
  await cp(join(ROOT, 'dist'), join(installed, 'dist'), { recursive: true })
  await cp(join(ROOT, 'package.json'), join(installed, 'package.json'))
  const dependency = 'node_modules/@mswjs/interceptors'
  await symlink(join(ROOT, dependency), join(project, dependency), 'junction')
  return () => rm(project, { recursive: true })
})

test.each([
  { entry: 'vitest', peer: 'vitest' },
  { entry: 'playwright', peer: '@playwright/test' },
])('petstore-mock/$entry without $peer says in one sentence what to install', async ({ entry, peer }) => {
  const code = `await import('petstore-mock/${entry}').catch(({ name, code, message }) => console.log(name, code, message))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: project })
  expect(stdout.trim()).toBe(
    `MockError PEER_MISSING Failed to load petstore-mock/${entry}: ${peer} is not installed. Install it: npm install --save-dev ${peer}`,
  )
})
