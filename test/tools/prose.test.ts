import { describe, expect, test } from 'vitest'
import { findProse } from '../../tools/prose/find-prose.ts'
import { findWords } from '../../tools/prose/find-words.ts'
import rules from '../../tools/prose/rules.json' with { type: 'json' }

function lint(file: string, source: string): string[] {
  return findWords(findProse(file, source)).map(({ line, found, write }) => `${line}: ${found} → ${write}`)
}

describe('the prose linter', () => {
  test('finds words in Markdown outside code, also across lines, and says what to write', () => {
    expect(lint('a.md', 'Fine `utilize`.\n\nUtilize it in\norder to win.\n')).toEqual([
      '3: Utilize → use',
      '3: in order to → to',
    ])
  })

  test('reads comments, messages and pages of programs, and no names', () => {
    const source = [
      "import utilize from './utilize.ts'",
      '/**',
      ' * In order',
      ' * to win. `utilize` is code.',
      ' */',
      "const utilize = 'utilize'",
      'throw new Error(`Failed to utilize $' + '{utilize}.`) // Utilizes it',
      'const page = <p>Utilized {utilize}</p>',
    ].join('\n')
    expect(lint('a.tsx', source)).toEqual([
      '3: In order to → to',
      '7: utilize → use',
      '7: Utilizes → use',
      '8: Utilized → use',
    ])
  })

  test('has rules that match no empty text', () => {
    for (const { not, write } of rules) {
      expect('').not.toMatch(new RegExp(`^(?:${not})$`))
      expect(write).not.toBe('')
    }
  })
})
