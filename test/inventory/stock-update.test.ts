import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type JsonObject, parseExactJson } from '../../src/http/exact-json.ts'
import { parseStockUpdate, type UpdateRules, WIDEST_RANGE } from '../../src/inventory/stock-update.ts'

const toRules = (quantity: UpdateRules['quantity']): UpdateRules => ({ quantity, unknownProperties: 'accept' })

describe('parseStockUpdate', () => {
  test('takes every safe integer, among any other properties', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.dictionary(fc.string(), fc.jsonValue()), (quantity, others) => {
        expect(parseStockUpdate({ ...others, quantity }, toRules(WIDEST_RANGE))).toEqual({ quantity: quantity + 0 })
      }),
    )
  })

  test('answers every value with a quantity in range or a problem, and never throws', () => {
    const value = fc.oneof(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.jsonValue().map((quantity) => ({ quantity })),
    )
    fc.assert(
      fc.property(value, (body) => {
        const update = parseStockUpdate(body, toRules(WIDEST_RANGE))
        if ('problem' in update) expect(update.problem).toMatch(/^quantity /)
        else expect(Number.isSafeInteger(update.quantity)).toBe(true)
      }),
    )
  })

  test('holds to a range, bounds included', () => {
    const range = fc
      .tuple(fc.maxSafeInteger(), fc.maxSafeInteger())
      .map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) }))
    fc.assert(
      fc.property(range, fc.maxSafeInteger(), ({ min, max }, drawn) => {
        for (const quantity of [min, max, drawn]) {
          const isTaken = 'quantity' in parseStockUpdate({ quantity }, toRules({ min, max }))
          expect(isTaken).toBe(quantity >= min && quantity <= max)
        }
      }),
    )
  })

  test.each([
    ['{}', 'quantity is required'],
    ['{"quantity":"5"}', 'quantity must be an integer, got "5" (string)'],
    ['{"quantity":5.00000000000000000001}', 'quantity must be an integer, got 5.00000000000000000001 (number)'],
    ['{"quantity":1e-400}', 'quantity must be an integer, got 1e-400 (number)'],
    ['{"quantity":{"a":1}}', 'quantity must be an integer, got {"a":1} (object)'],
    [`{"quantity":"${'x'.repeat(50)}"}`, `quantity must be an integer, got "${'x'.repeat(40)}…" (string)`],
    ['{"quantity":"é\\u0000"}', 'quantity must be an integer, got "é\\u0000" (string)'],
    ...['-9007199254740992', '1e400', '9007199254740993.0'].map((text) => [
      `{"quantity":${text}}`,
      `quantity must be an integer from -9007199254740991 to 9007199254740991, got ${text} (number)`,
    ]),
  ])('%s: %s', (body, problem) => {
    expect(parseStockUpdate(parseExactJson(body ?? '') as JsonObject, toRules(WIDEST_RANGE))).toEqual({ problem })
  })

  test('names a quantity outside its range, and a property that the rules reject', () => {
    expect(parseStockUpdate({ quantity: 9 }, toRules({ min: 0, max: 8 }))).toEqual({
      problem: 'quantity must be an integer from 0 to 8, got 9 (number)',
    })
    expect(parseStockUpdate({ quantity: 9, a: 1 }, { quantity: WIDEST_RANGE, unknownProperties: 'reject' })).toEqual({
      problem: 'The body must have no property besides quantity, got "a" (string)',
    })
  })

  test('-0 is the number 0', () => {
    for (const range of [WIDEST_RANGE, { min: 0, max: 0 }])
      expect(parseStockUpdate({ quantity: -0 }, toRules(range))).toStrictEqual({ quantity: 0 })
  })
})
