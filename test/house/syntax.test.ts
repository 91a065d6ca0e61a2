import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'
import { analyse } from 'scslre'
import { expect, test } from 'vitest'

// Node 22.12 runs the sources and the package, and is older than `using`: https://v8.dev/features/explicit-resource-management.
test('no file of src declares with using', () => {
  const files = globSync('src/**/*.{ts,tsx}')
  const found = files.filter((file) => /^\s*(await )?using \w+ =/m.test(readFileSync(file, 'utf8')))
  expect(files.length).toBeGreaterThan(100)
  expect(found).toEqual([])
})

// A header of 16 KB takes a quadratic pattern half a second, in which nobody else gets a response.
test('every regular expression of src takes linear time', () => {
  const files = globSync('src/**/*.{ts,tsx}', { exclude: ['**/*.gen.ts'] })
  const patterns = files.flatMap((file) => {
    const lang = file.endsWith('x') ? 'tsx' : 'ts'
    return Array.from(findPatterns(parseAst(readFileSync(file, 'utf8'), { lang })), (each) => ({ file, ...each }))
  })
  expect(patterns.length).toBeGreaterThan(100)
  const slow = patterns.filter(({ pattern: source, flags }) => analyse({ source, flags }).reports.length > 0)
  expect(slow).toEqual([])
})

function* findPatterns(node: unknown): Iterable<{ pattern: string; flags: string }> {
  if (typeof node !== 'object' || node === null) return
  if ('regex' in node) yield node.regex as { pattern: string; flags: string }
  else for (const child of Object.values(node)) yield* findPatterns(child)
}
