import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toTable } from '../browser/features.ts'

const DOCUMENT = readFileSync(new URL('../../docs/browsers.md', import.meta.url), 'utf8')

test.each(['worker', 'page'] as const)('docs/browsers.md shows what the browsers do in mode %s', (mode) => {
  expect(DOCUMENT).toContain(toTable(mode))
})
