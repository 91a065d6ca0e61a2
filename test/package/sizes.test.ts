import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bundlePage, toSize, withImports } from './bundle-page.ts'

const ROOT = resolve(import.meta.dirname, '../..')

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dependencies?: Readonly<Record<string, string>> }>>
}

describe('what the package costs', () => {
  test('a page loads at most 37 KB of it', async () => {
    const script = `
      import { createMock } from 'petstore-mock'
      import { startWorker } from 'petstore-mock/browser'
      void startWorker(createMock())`
    const chunks = await bundlePage(script, { root: ROOT, external: /^(msw|@mswjs\/interceptors)(\/|$)/ })
    const atOnce = withImports(chunks, ({ isEntry }) => isEntry)
    const atStart = withImports(chunks, ({ name }) => name.startsWith('answer-in-worker')).difference(atOnce)
    // No page loads the mutants: it has no environment that names one.
    const others = new Set(chunks.filter(({ name }) => !name.startsWith('apply-mutant')))
    // valibot takes 2.2 KB of it; the hand-made checks in its place were as many lines again. Stubs, which createMock
    // checks at once, take 1.2 KB, profiles 0.4 KB, and sentences for mistakes that passed in silence 3 KB.
    expect(toSize(atOnce)).toBeLessThan(37 * 1024)
    // Half of it tells the mock what the page gives up, which msw's worker script does not.
    expect(toSize(atStart)).toBeLessThan(5 * 1024)
    // The control API with its event streams, the documents, and what runs handlers and sends slow bodies.
    expect(toSize(others.difference(atOnce).difference(atStart))).toBeLessThan(24 * 1024)
  })

  test('it installs no package beside those that msw brings', async () => {
    const { packages } = JSON.parse(await readFile(`${ROOT}/package-lock.json`, 'utf8')) as Lock
    const ours = new Set(Object.keys(packages['']?.dependencies ?? {}).flatMap((name) => [...collect(packages, name)]))
    const brought = collect(packages, 'msw')
    expect(brought.size).toBeGreaterThan(10)
    expect([...ours].filter((folder) => !brought.has(folder))).toEqual([])
  })
})

/** The folders of a package and of all that it depends on, as the lockfile lays them out. */
function collect(packages: Lock['packages'], name: string): Set<string> {
  const folders = new Set([`node_modules/${name}`])
  for (const folder of folders) {
    for (const dependency of Object.keys(packages[folder]?.dependencies ?? {})) {
      const nested = `${folder}/node_modules/${dependency}`
      folders.add(nested in packages ? nested : `node_modules/${dependency}`)
    }
  }
  return folders
}
