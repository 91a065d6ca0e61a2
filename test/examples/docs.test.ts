import { exec } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const run = promisify(exec)
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT })].map((page) => ({
  page,
  text: readFileSync(`${ROOT}/${page}`, 'utf8'),
}))

describe('the documentation', () => {
  const copies = pages.flatMap(({ page, text }) =>
    Array.from(text.matchAll(/<!-- (\S+) -->\n```ts\n([\s\S]*?)```/g), ([, file = '', code = '']) => ({
      page,
      file,
      code,
    })),
  )

  test('the README has a quick start for each runtime', () => {
    expect(copies.filter(({ page }) => page === 'README.md').map(({ file }) => file)).toEqual([
      'test/examples/suite.test.ts',
      'test/examples/server.test.ts',
      'test/browser/quick-start.test.ts',
    ])
  })

  test('every example is shown somewhere', () => {
    const examples = globSync('test/examples/*.{test,spec}.ts', { cwd: ROOT }).filter(
      (file) => !/docs\.test/.test(file),
    )
    expect(examples.filter((example) => !copies.some(({ file }) => file === example))).toEqual([])
  })

  test.each(copies)('$page shows $file as it runs', ({ file, code }) => {
    expect(code).toBe(readFileSync(`${ROOT}/${file}`, 'utf8'))
  })

  test.each(pages)('$page links to what is there', ({ page, text }) => {
    const links = Array.from(
      text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g),
      ([, link, source]) => link ?? source ?? '',
    )
    const missing = links.filter((link) => !/^https?:/.test(link)).filter((link) => !isThere(page, link))
    expect(missing).toEqual([])
  })

  // Its quotes are those of a POSIX shell.
  test.skipIf(process.platform === 'win32')('the README has curl lines that work in their order', async () => {
    const [{ text: readme } = { text: '' }] = pages
    const lines = readme.split('\n').filter((line) => line.startsWith('curl '))
    const mock = createMock()
    await using server = await serve(mock)
    const answers: string[] = []
    for (const line of lines) {
      const { stdout } = await run(`${line.replaceAll('http://127.0.0.1:4100', server.url)} --silent --show-error`)
      answers.push(stdout)
    }
    const [before, update, elsewhere, reset] = answers
    expect(update).toBe('{"petId":2,"quantity":20,"status":"available"}')
    expect(elsewhere).toBe(before)
    expect(reset).toBe(`{"inventory":${before}}`)
  })
})

/** Whether the file of a relative link is there, and its heading where it names one. */
function isThere(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#')
  const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path)
  if (!existsSync(file)) return false
  if (heading === undefined) return true
  const headings = Array.from(readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm), ([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
  return headings.includes(heading)
}
