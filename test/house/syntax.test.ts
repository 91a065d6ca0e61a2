import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// Node 22.12 runs the sources and the package, and is older than `using`: https://v8.dev/features/explicit-resource-management.
test('no file of src declares with using', () => {
  const files = globSync('src/**/*.{ts,tsx}')
  const found = files.filter((file) => /^\s*(await )?using \w+ =/m.test(readFileSync(file, 'utf8')))
  expect(files.length).toBeGreaterThan(100)
  expect(found).toEqual([])
})
