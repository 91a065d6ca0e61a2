import { exec } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { GROUPS, toAnchor } from '../../docs/site/pages.ts'
import { COMMANDS } from '../../src/cli/main.ts'
import { optionsOf } from '../../src/cli/options.ts'
import { createServeLog } from '../../src/cli/serve/serve-log.ts'
import { VERSION } from '../../src/contract/version.ts'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { hasProgram } from '../machine.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const run = promisify(exec)
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync(['docs/*.md', 'docs/{decisions,reference}/*.md'], { cwd: ROOT }),
].map(toPage)

/** Every source file, with its quotes as they are printed. */
const SOURCES = globSync('src/**/*.ts', { cwd: ROOT }).map((file) =>
  readFileSync(join(ROOT, file), 'utf8').replaceAll(/\\(['`])/g, '$1'),
)
/** Messages of other programs. */
const NOT_OURS = [
  'Must use import to load ES Module: …',
  'Cannot use import statement outside a module',
  "Cannot find package 'msw' imported from …",
  'Failed to replace a global value at "ClientRequest": already replaced',
]

describe('the documentation', () => {
  const copies = pages.flatMap(({ page, text }) =>
    Array.from(text.matchAll(/<!-- (\S+) -->\n```\w+\n([\s\S]*?)```/g), ([, file = '', code = '']) => ({
      page,
      file,
      code,
    })),
  )

  test.each(pages)('$page takes all code from files that run', ({ text }) => {
    const blocks = Array.from(text.matchAll(/^(.*)\n+```(\w+)\n/gm), ([, above = '', language = '']) => ({
      above,
      language,
    }))
    expect(blocks.filter(({ above, language }) => language !== 'sh' && !/^<!-- \S+ -->$/.test(above))).toEqual([])
  })

  test.each(pages)('$page has command lines that the program knows', ({ text }) => {
    expect(listCommandLines(text).flatMap(findUnknown)).toEqual([])
  })

  test('the README answers each question with a link to a block that can be copied', () => {
    const [{ text: readme } = { text: '' }] = pages
    const [, table = ''] = /\n## How do I …\n\n([\s\S]*?)\n## /.exec(readme) ?? []
    const links = Array.from(table.matchAll(/\]\(([^)#]+)#([^)]+)\)/g), ([, path = '', heading = '']) => ({
      path,
      heading,
    }))
    expect(links.length).toBeGreaterThanOrEqual(10)
    const empty = links.filter(({ path, heading }) => !readSection(path, heading).includes('```'))
    expect(empty).toEqual([])
  })

  test('the README shows the start message of the program', () => {
    const lines: string[] = []
    const write = (line: string): void => void lines.push(line)
    createServeLog('pretty', { out: write, err: write, env: {}, isTerminal: { out: false, err: false } })({
      event: 'listening',
      url: 'http://127.0.0.1:4100/v1',
      port: 4100,
      console: 'http://127.0.0.1:4100/_mock/',
      noConsole: undefined,
      fixture: 'default',
      fixturePets: 10,
      state: undefined,
      settings: {},
      pets: 10,
      isOwnKey: false,
      version: VERSION,
    })
    expect(pages[0]?.text).toContain(`\`\`\`\n${lines.join('\n')}\n\`\`\``)
  })

  test('the site has every page', () => {
    const onSite = new Set(GROUPS.flatMap((group) => group.pages.map(({ file }) => file)))
    expect(pages.map(({ page }) => page.replaceAll('\\', '/')).filter((page) => !onSite.has(page))).toEqual([])
  })

  test('every example is shown somewhere', () => {
    const recipes = 'test/recipes/*/*.{ts,js,mjs,py,java,yml,sh,json}'
    const examples = globSync(['test/examples/*.{test,spec}.ts', recipes], { cwd: ROOT }).filter(
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

  test.each([...pages, ...['AGENTS.md', 'SECURITY.md'].map(toPage)])(
    '$page names files and scripts that are there',
    ({ text }) => {
      const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object }
      const spans = Array.from(text.matchAll(/`([^`\n]+)`/g), ([, span = '']) => span.split(' ')).flat()
      const files = spans.filter((word) =>
        /^(?:src|test|tools|spec|fixtures|docs|\.ci|\.github)\/(?!.*\bdist)[^…{}]+$/.test(word),
      )
      expect(files.filter((file) => globSync(`${file.replace(/\/$/, '')}*`, { cwd: ROOT }).length === 0)).toEqual([])
      const runs = Array.from(text.matchAll(/\bnpm run ([\w:]+)/g), ([, script = '']) => script)
      expect(runs.filter((script) => !(script in scripts))).toEqual([])
    },
  )

  const troubles = readFileSync(join(ROOT, 'docs/troubleshooting.md'), 'utf8')
  const messages = Array.from(troubles.matchAll(/^### `(.+)`$/gm), ([, message = '']) => message)

  test.each(messages.filter((message) => !NOT_OURS.includes(message)))('the program has the message: %s', (message) => {
    const parts = message.split('…').map((part) => part.trim())
    expect(SOURCES.some((source) => parts.every((part) => source.includes(part)))).toBe(true)
  })

  // Its quotes are those of a POSIX shell.
  test.skipIf(process.platform === 'win32' || !hasProgram('curl'))(
    'the README has curl lines that work in their order (needs curl)',
    async () => {
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
    },
  )
})

function toPage(page: string): { readonly page: string; readonly text: string } {
  return { page, text: readFileSync(join(ROOT, page), 'utf8') }
}

/** The lines of the shell blocks that start the program. */
function listCommandLines(text: string): string[] {
  const blocks = Array.from(text.matchAll(/```sh\n([\s\S]*?)```/g), ([, block = '']) => block)
  return blocks
    .flatMap((block) => block.split('\n'))
    .filter((line) => /^(npx |node_modules\/.bin\/)petstore-mock /.test(line))
}

/** The command, or the flags, that the program does not have. */
function findUnknown(line: string): string[] {
  const [, ...words] = (line.split(/ -- | #| >> | &/)[0] ?? '').replace(/^npx /, '').split(' ')
  const command = [words.slice(0, 2).join(' '), words[0] ?? ''].find((name) => name in COMMANDS)
  if (command === undefined) return [line]
  const flags = [
    '--help',
    '--version',
    ...optionsOf(command).flatMap(({ name, alias = [] }) => [
      `--${name}`,
      `--no-${name}`,
      ...alias.map((each) => `-${each}`),
    ]),
  ]
  return words.filter((word) => word.startsWith('-') && !flags.includes(word.split('=')[0] ?? ''))
}

/** What a page says below a heading. */
function readSection(path: string, heading: string): string {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const sections = text.split(/^(?=#+ )/m)
  return sections.find((section) => toAnchor(/^#+ (.+)/.exec(section)?.[1] ?? '') === heading) ?? ''
}

/** Whether the file of a relative link is there, and its heading where it names one. */
function isThere(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#')
  const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path)
  if (!existsSync(file)) return false
  if (heading === undefined) return true
  const headings = Array.from(readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm), ([, title = '']) => toAnchor(title))
  return headings.includes(heading)
}
