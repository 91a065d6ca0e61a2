import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const SRC = resolve(import.meta.dirname, '../../src')
const ENTRIES = [
  'index.ts',
  'runtimes/node.ts',
  'runtimes/server.ts',
  'runtimes/browser.ts',
  'client/connect-mock.ts',
  'msw/create-handlers.ts',
  'testing/matchers.ts',
  'testing/vitest.ts',
  'testing/playwright.ts',
]

describe.each(ENTRIES)('the types of %s', (entry) => {
  test('have a docstring at every name, and at every member of each', () => {
    const names = listExports(entry)
    expect(names.length).toBeGreaterThan(0)
    expect(names.flatMap(({ file, name }) => findUndocumented(file, name))).toEqual([])
  })
})

test('a mock has the members of its type and no others', async () => {
  const { createMock } = await import('../../src/index.ts')
  const members = [...listMembers('service/mock.ts', 'Mock'), ...listMembers('sandbox/sandbox.ts', 'Sandbox')]
  expect(Object.keys(createMock()).sort()).toEqual(members.map(({ name }) => name).sort())
})

interface Exported {
  /** Where it is declared. */
  readonly file: string
  readonly name: string
}

/** What an entry exports, of its own and of other files, but for what is generated from the specification. */
function listExports(file: string): Exported[] {
  const code = read(file)
  const own = Array.from(
    code.matchAll(/^export (?:async )?(?:interface|type|class|function|const) (\w+)/gm),
    ([, name = '']) => ({ file, name }),
  )
  const others = Array.from(code.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)).flatMap(
    ([, list = '', from = '']) =>
      list.split(',').flatMap((item) => resolveExport(join(dirname(file), from), item.replace('type ', '').trim())),
  )
  return [...own, ...others].filter(({ file: declared }) => !declared.startsWith('contract/'))
}

/** Follows a name to the file that declares it. */
function resolveExport(file: string, name: string): Exported[] {
  if (name === '') return []
  return [listExports(file).find((found) => found.name === name) ?? { file, name }]
}

function findUndocumented(file: string, name: string): string[] {
  const lines = read(file).split('\n')
  const start = lines.findIndex((line) =>
    new RegExp(`^export (?:async )?(?:interface|type|class|function|const) ${name}\\b`).test(line),
  )
  const own = isDocumented(lines, start) ? [] : [`${file}: ${name}`]
  const members = listMembers(file, name).filter(({ line }) => !isDocumented(lines, line))
  return [...own, ...members.map((member) => `${file}: ${name}.${member.name}`)]
}

/** The members of an interface, by the layout that the formatter gives them. */
function listMembers(file: string, name: string): { readonly name: string; readonly line: number }[] {
  const lines = read(file).split('\n')
  const start = lines.findIndex((line) => new RegExp(`^export interface ${name}\\b`).test(line))
  if (start === -1) return []
  const end = lines.indexOf('}', start)
  return lines.slice(start + 1, end).flatMap((line, index) => {
    const member = /^ {2}(?:readonly )?(\w+)\??[:(<]/.exec(line)?.[1]
    return member === undefined ? [] : [{ name: member, line: start + 1 + index }]
  })
}

function isDocumented(lines: readonly string[], line: number): boolean {
  return lines[line - 1]?.trimEnd().endsWith('*/') === true
}

function read(file: string): string {
  return readFileSync(join(SRC, file), 'utf8')
}
