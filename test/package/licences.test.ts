import { glob, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import lock from '../../package-lock.json' with { type: 'json' }
import { parseNotices, readPackage } from '../../tools/third-party/notices.ts'
import { findPackages } from '../../tools/third-party/third-party.ts'
import { makeFolder } from '../cli/state-folder.ts'

const ROOT = resolve(import.meta.dirname, '../..')

describe.each([
  { folder: 'dist', known: ['@mswjs/data', 'eventsource-parser', 'preact', 'valibot', 'yaml', 'rolldown'] },
  // ms and debug are bundled by @mswjs/interceptors.
  {
    folder: 'dist/demo',
    known: ['msw', 'is-node-process', 'tough-cookie', 'tldts', 'valibot', 'preact', 'ms', 'debug'],
  },
])('the licences in $folder', async ({ folder, known }) => {
  const notices = parseNotices(await readFile(join(ROOT, folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8'))
  const names = notices.map(({ name }) => name)

  test('name each package once in each of its versions', () => {
    expect(names).toEqual(expect.arrayContaining(known))
    expect(names).not.toContain('')
    expect(new Set(notices.map(({ name, version }) => `${name} ${version}`)).size).toBe(notices.length)
  })

  test.each(notices)('contain the whole text of $name $version', async ({ name, version, text }) => {
    const installed = findInstalled(name, version)
    const files = (await readdir(installed)).filter((file) => /^licen[cs]e/i.test(file))
    for (const file of files) expect(text).toContain((await readFile(join(installed, file), 'utf8')).trim())
    expect(text).toMatch(/Permission (is hereby granted|to use, copy)|Redistribution and use/)
    expect(text).toMatch(/THE SOFTWARE IS PROVIDED|THIS SOFTWARE IS PROVIDED/)
    expect(text).toMatch(/^(SPDX-FileC|C)opyright /im)
  })
})

// The bundler names a module above its code, where the code is not minified, as it is in the demo.
test('the licences in dist name every package whose modules are in the built files', async () => {
  const names = parseNotices(await readFile(join(ROOT, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')).map(
    ({ name }) => name,
  )
  const files = await Array.fromAsync(glob('dist/**/*.js', { cwd: ROOT, exclude: (name) => name === 'demo' }))
  const texts = await Promise.all(files.map((file) => readFile(join(ROOT, file), 'utf8')))
  const modules = texts.flatMap((text) => [...text.matchAll(/^\/\/ .*node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/gm)])
  expect(modules.length).toBeGreaterThan(30)
  expect(names).toEqual(expect.arrayContaining([...new Set(modules.map(([, name]) => name))]))
})

describe('the build', () => {
  test('fails where a bundled package has no licence text', async () => {
    const folder = await makeFolder()
    await writeFile(join(folder, 'package.json'), '{"name":"@some/package","version":"1.2.3","license":"MIT"}')
    await expect(readPackage(folder)).rejects.toThrow(
      '@some/package 1.2.3 is bundled, and its package has no licence text. Add the text as tools/third-party/licences/@some+package.txt.',
    )
    await writeFile(join(folder, 'LICENSE-MIT.txt'), 'MIT\n')
    await expect(readPackage(folder)).resolves.toMatchObject({ name: '@some/package', version: '1.2.3', text: 'MIT' })
  })

  test('finds the package of a module on every system, the innermost one, and those that it has bundled', () => {
    expect(findPackages('/a/node_modules/b/node_modules/@c/d/lib/e.js', '')).toEqual([
      '/a/node_modules/b/node_modules/@c/d',
    ])
    expect(findPackages('C:\\a\\node_modules\\b\\index.js', '')).toEqual(['C:\\a\\node_modules\\b'])
    expect(findPackages('/a/src/b.ts', '')).toEqual([])
    const code = 'one()\n//#region node_modules/.pnpm/ms@2.1.3/node_modules/ms/index.js\n'
    expect(findPackages('/a/node_modules/b/index.js', code)).toEqual([
      '/a/node_modules/b',
      join(ROOT, 'node_modules/ms'),
    ])
  })
})

function findInstalled(name: string, version: string): string {
  const [folder] =
    Object.entries(lock.packages).find(
      ([path, each]) => path.endsWith(`node_modules/${name}`) && 'version' in each && each.version === version,
    ) ?? []
  if (folder === undefined) throw new Error(`${name} ${version} is not in the lockfile`)
  return join(ROOT, folder)
}
