import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toTable } from '../browser/features.ts'

test('docs/browsers.md shows what the browsers do', () => {
  expect(readFileSync(new URL('../../docs/browsers.md', import.meta.url), 'utf8')).toContain(toTable())
})
