import { expect, test } from 'vitest'
import { SPECIFICATION_JSON } from '../../src/contract/document.gen.ts'
import { findContractChanges } from '../../src/mutants/contract-changes.ts'

const OURS = SPECIFICATION_JSON['3.1']

test.each<[change: string, from: string, to: string, mutants: string[], others: string[]]>([
  ['a text', 'The stock levels.', 'Stock.', [], ['The new document has the same contract.']],
  ['a property', '"status":{"$ref"', '"note":{"type":"string"},"status":{"$ref"', ['new-property'], []],
  ['a status', '"sold"]', '"sold","reserved"]', ['new-status'], []],
  ['a code', '"code":{"type":"string"', '"code":{"enum":["late"],"type":"string"', ['other-errors'], []],
  ['an operation', '"/store/orders"', '"/orders"', [], ['removes paths /store/orders.', 'adds paths /orders.']],
])('a new contract with %s', (_, from, to, names, others) => {
  const changes = findContractChanges(JSON.parse(JSON.stringify(JSON.parse(OURS)).replace(from, to)))
  expect(changes.mutants.map(({ name }) => name)).toEqual(names)
  expect(changes.others.map((each) => each.replace('No mutant acts out that the new contract ', ''))).toEqual(others)
})

test('a new contract with recursive schemas and an escape sequence', () => {
  const node = { items: { $ref: '#/node' }, loop: { $ref: '#/loop' } }
  const { others } = findContractChanges({ paths: { '\u001b[2J': { $ref: '#/node' } }, node, loop: { $ref: '#/loop' } })
  expect(others).toContain('No mutant acts out that the new contract adds paths \\u{1b}[2J.')
})
