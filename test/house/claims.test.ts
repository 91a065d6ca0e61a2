import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createServeLog } from '../../src/cli/serve/serve-log.ts'
import { VERSION } from '../../src/contract/version.ts'
import { createMock } from '../../src/index.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const readme = readPage('README.md')

interface Claim {
  readonly page: string
  readonly text: string
  readonly evidence: string
}

const claims = readPage('docs/claims.md')
  .split('\n')
  .filter((line) => line.includes('| `'))
  .map(toClaim)

describe('docs/claims.md', () => {
  test.each(claims)('$page says: $text', ({ page, text }) => {
    expect(toPlain(readPage(page))).toContain(toPlain(text))
  })

  test.each(claims)('$evidence shows: $text', ({ evidence }) => {
    const [, file = '', title = ''] = /^`([^`]+)`: `([^`]+)`$/.exec(evidence) ?? []
    expect(readPage(file)).toContain(title)
  })

  test('has every promise of the README', () => {
    const [, list = ''] = /## What you can rely on\n\n([\s\S]*?)\n\n/.exec(readme) ?? []
    const promises = Array.from(list.matchAll(/^- (.{15})/gm), ([, start = '']) => start)
    expect(promises).toHaveLength(5)
    expect(promises.filter((start) => !claims.some(({ text }) => text.startsWith(start)))).toEqual([])
  })

  test('has every column of the comparison', () => {
    const [, head = ''] = /## Compared with other tools\n[\s\S]*?\n\| tool \| (.*) \|\n/.exec(readme) ?? []
    const columns = head.split(' | ')
    expect(columns.length).toBeGreaterThan(5)
    expect(columns.filter((column) => !claims.some(({ text }) => text === column))).toEqual([])
  })
})

test('the start message in the README is that of the program', () => {
  const lines: string[] = []
  const write = (line: string): void => void lines.push(line)
  const log = createServeLog('pretty', { out: write, err: write, env: {}, isTerminal: { out: false, err: false } })
  log.listening({
    url: 'http://127.0.0.1:4100/v1',
    port: 4100,
    console: 'http://127.0.0.1:4100/_mock/',
    noConsole: undefined,
    fixture: 'default',
    fixturePets: 10,
    state: undefined,
    settings: [],
    service: createMock(),
  })
  expect(lines[0]).toContain(VERSION)
  expect(readme).toContain(`\`\`\`\n${lines.join('\n')}\n\`\`\``)
})

/** A row: the page, unless it is the comparison in the README; the statement; what shows it. */
function toClaim(line: string): Claim {
  const cells = line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())
  const [evidence = '', text = '', page = 'README.md'] = cells.toReversed()
  return { page, text: text.replaceAll('\\|', '|'), evidence }
}

/** Without line breaks. */
function toPlain(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

function readPage(name: string): string {
  return readFileSync(resolve(ROOT, name), 'utf8')
}
