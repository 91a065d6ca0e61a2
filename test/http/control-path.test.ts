import { expect, test } from 'vitest'
import { isControlPath } from '../../src/http/control-path.ts'

test.each([
  ['/_mock', true],
  ['/_mock/health', true],
  ['/_mocks', false],
  ['/a/_mock/', false],
])('%s is a path of the control API: %s', (path, expected) => {
  expect(isControlPath(path)).toBe(expected)
})
