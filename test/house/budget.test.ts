import { glob, readFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

/**
 * The most lines of each folder of `src`, without generated files. Nobody can hold more than some 20,000 lines in the head,
 * so a limit is lowered when something is deleted, and never raised.
 */
const MOST_LINES: Readonly<Record<string, number>> = {
  auth: 196,
  check: 2_435,
  cli: 2_352,
  client: 402,
  console: 4_329,
  contract: 4,
  control: 1_174,
  demo: 711,
  http: 1_406,
  inventory: 299,
  msw: 50,
  mutants: 600,
  operations: 231,
  runtimes: 2_855,
  sandbox: 2_305,
  service: 1_369,
  store: 829,
  testing: 521,
}
const MOST_FILES = 177
/** The most words of the README and the pages of `docs`, with their code. */
const MOST_WORDS = 13_000
/** The most lines of code in `test`. */
const MOST_TEST_LINES = 31_318

test('no folder of src grows', async () => {
  const lines: Record<string, number> = {}
  let files = 0
  for await (const name of glob('src/*/**/*.{ts,tsx,css,html}', { cwd: ROOT })) {
    if (name.includes('.gen.')) continue
    const [, folder = ''] = name.split(sep)
    lines[folder] = (lines[folder] ?? 0) + (await countLines(name))
    files += 1
  }
  expect(Object.keys(lines).sort()).toEqual(Object.keys(MOST_LINES).sort())
  expect(Object.entries(lines).filter(([folder, count]) => count > (MOST_LINES[folder] ?? 0))).toEqual([])
  expect(files).toBeLessThanOrEqual(MOST_FILES)
})

test('the README and the guides do not grow', async () => {
  let words = 0
  for await (const name of glob(['README.md', 'docs/*.md'], { cwd: ROOT })) {
    words += (await readFile(join(ROOT, name), 'utf8')).match(/\S+/g)?.length ?? 0
  }
  expect(words).toBeLessThanOrEqual(MOST_WORDS)
})

test('the tests do not grow', async () => {
  let lines = 0
  // The clients of test/openapi are generated, and not part of the repository.
  const exclude = (name: string): boolean => /(?:node_modules|generated)$/.test(name)
  for await (const name of glob('test/**/*.{ts,tsx,js,jsx,mjs}', { cwd: ROOT, exclude })) {
    lines += await countLines(name)
  }
  expect(lines).toBeLessThanOrEqual(MOST_TEST_LINES)
})

async function countLines(name: string): Promise<number> {
  return (await readFile(join(ROOT, name), 'utf8')).split('\n').length - 1
}
