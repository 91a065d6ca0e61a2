import { expect, test } from 'vitest'
import { OPERATIONS } from '../../src/contract/operations.gen.ts'
import { hasSpecifiedResponse, matchOperation, OPERATION_LIST } from '../../src/operations/operations.ts'

test('the operations are those of the contract', () => {
  expect(OPERATION_LIST).toMatchObject(OPERATIONS)
  expect(matchOperation('GET', '/pets/7')).toMatchObject({ kind: 'found', route: { id: 'getPet' } })
})

test.each([
  ['GET', '/inventory', true],
  ['DELETE', '/inventory', true],
  ['GET', '/pets/7', false],
  ['DELETE', '/pets/7', false],
  ['GET', '/nothing', false],
])('the specification defines the response of %s %s: %s', (method, path, isSpecified) => {
  expect(hasSpecifiedResponse(method, path)).toBe(isSpecified)
})
