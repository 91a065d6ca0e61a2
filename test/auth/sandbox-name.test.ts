import { describe, expect, test } from 'vitest'
import { assertSandboxName, isSandboxName } from '../../src/auth/sandbox-name.ts'

describe('a sandbox’s name', () => {
  test.each(['a', 'default', 'A-z_0.9', '.', '-', '__proto__', 'n'.repeat(64)])('%s', (name) => {
    expect(isSandboxName(name)).toBe(true)
    expect(() => assertSandboxName(name)).not.toThrow()
  })

  test.each<[unknown, string]>([
    ['', '""'],
    ['a b', '"a b"'],
    ['a~b', '"a~b"'],
    ['ä', '"ä"'],
    ['a\n', '"a\\n"'],
    ['n'.repeat(65), `"${'n'.repeat(39)}…`],
    [['a'], '["a"]'],
    [5, '5'],
    [undefined, 'undefined'],
    [{ toString: () => 'a' }, '{"toString":function}'],
  ])('%o is none', (name, shown) => {
    expect(isSandboxName(name)).toBe(false)
    expect(() => assertSandboxName(name)).toThrow(
      expect.objectContaining({
        code: 'INVALID_SANDBOX',
        message: `Failed to open a sandbox: ${shown} is not a valid name. Use 1 to 64 letters, digits, dots, underscores and hyphens.`,
      }),
    )
  })
})
