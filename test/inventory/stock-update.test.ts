import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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
        if ('problem' in update) expect(update.problem).toMatch(/^quantity (must be|is required)/)
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

  test('-0 is the number 0', () => {
    for (const range of [WIDEST_RANGE, { min: 0, max: 0 }])
      expect(parseStockUpdate({ quantity: -0 }, toRules(range))).toStrictEqual({ quantity: 0 })
  })
})
