import { expect, test } from 'vitest'
import { findProse } from '../../tools/prose/find-prose.ts'
import { findWords } from '../../tools/prose/find-words.ts'

function lint(file: string, source: string): string[] {
  return findWords(findProse(file, source)).map(({ line, found, write }) => `${line}: ${found} → ${write}`)
}

test('finds words in Markdown outside code, also across lines, and says what to write', () => {
  expect(lint('a.md', 'It `struck`.\n\nIt struck, in\nvain.\n')).toEqual([
    '3: struck → matches, applies',
    '3: in vain → without success',
  ])
})

test('reads comments, messages and pages of programs, and no names', () => {
  const source = [
    "import struck from './struck.ts'",
    '/** It waits in',
    ' * vain. `struck` is code. */',
    "const struck = 'struck'",
    'throw new Error(`It struck $' + '{struck}.`) // It strikes',
    'const page = <p>Struck {struck}</p>',
  ].join('\n')
  expect(lint('a.tsx', source)).toEqual([
    '2: in vain → without success',
    '5: struck → matches, applies',
    '5: strikes → matches, applies',
    '6: Struck → matches, applies',
  ])
})
