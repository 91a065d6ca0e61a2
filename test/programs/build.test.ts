import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { buildPackage } from '../../tools/build.js'
import { makeFolder } from '../cli/state-folder.ts'

const VIEW = 'src/console/views/pet-table.tsx'
const SOURCES = ['src/index.ts', VIEW, 'fixtures/empty.json', 'tools/third-party/a.ts', 'rolldown.config.ts']
const BUILT = ['dist/index.js', 'dist/types/index.d.ts']
const BUILD = `
  const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs')
  mkdirSync('dist/types', { recursive: true })
  for (const file of ${JSON.stringify(BUILT)}) writeFileSync(file, '')
  appendFileSync('builds', 'built ')`

/** A checkout whose build is newer than its sources. */
let root: string
beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  root = await makeFolder()
  const files = { 'build.cjs': BUILD, 'package.json': '{"scripts":{"build":"node build.cjs"}}' }
  for (const path of [...Object.keys(files), ...SOURCES, ...BUILT, 'package-lock.json']) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), Reflect.get(files, path) ?? '')
  }
  for (const path of await readdir(root, { recursive: true })) await utimes(join(root, path), 1000, 1000)
  for (const path of BUILT) await utimes(join(root, path), 2000, 2000)
})

/** Returns the builds so far. */
function build(): Promise<string> {
  buildPackage(root)
  return readFile(join(root, 'builds'), 'utf8').catch(() => '')
}

test('a build that is newer than its sources stays', async () => {
  expect(await build()).toBe('')
})

test('a build that is older than a source is made again, once', async () => {
  for (const [index, source] of SOURCES.entries()) {
    for (const path of BUILT) await utimes(join(root, path), 2000, 2000)
    await utimes(join(root, source), 3000, 3000)
    const builds = 'built '.repeat(index + 1)
    expect([source, await build(), await build()]).toEqual([source, builds, builds])
    await utimes(join(root, source), 1000, 1000)
  }
})

test.each([VIEW, ...BUILT])('a build from before %s was deleted is made again', async (file) => {
  await rm(join(root, file))
  expect(await build()).toBe('built ')
})

test('a build that fails is an error', async () => {
  await writeFile(join(root, 'build.cjs'), 'process.exitCode = 1')
  await rm(join(root, VIEW))
  expect(() => buildPackage(root)).toThrow('The package was not built')
})
