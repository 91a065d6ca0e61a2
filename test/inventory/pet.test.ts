import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type JsonObject, parseExactJson } from '../../src/http/exact-json.ts'
import {
  isPetKey,
  parsePetKey,
  parseStockUpdate,
  type QuantityRange,
  toPetId,
  toPetKey,
  WIDEST_RANGE,
} from '../../src/inventory/pet.ts'

const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)
const beyond = fc.oneof(fc.bigInt(2n ** 63n, 2n ** 80n), fc.bigInt(-(2n ** 80n), -(2n ** 63n) - 1n))

const toRules = (quantity: QuantityRange) => ({ quantity, unknownProperties: 'accept' as const })

describe('petId', () => {
  test('every int64 is a key, and comes back as itself', () => {
    fc.assert(
      fc.property(int64, (id) => {
        expect(isPetKey(String(id))).toBe(true)
        expect(BigInt(toPetId(toPetKey(id)))).toBe(id)
        expect(toPetKey(String(id))).toBe(String(id))
      }),
    )
  })

  test('comes as a number where that is exact, else as a bigint', () => {
    fc.assert(
      fc.property(int64, (id) => {
        const isExact = id >= Number.MIN_SAFE_INTEGER && id <= Number.MAX_SAFE_INTEGER
        expect(typeof toPetId(toPetKey(id))).toBe(isExact ? 'number' : 'bigint')
      }),
    )
  })

  test('nothing beyond int64 is a key', () => {
    fc.assert(fc.property(beyond, (id) => !isPetKey(String(id))))
  })

  test('a text is a key only in canonical form', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[-+]?0{0,2}\d{1,20}(\.0|e1)?$/))
    fc.assert(fc.property(text, (id) => isPetKey(id) === isCanonical(id)))
  })

  test.each([undefined, null, true, ['1'], [1], { toString: () => '1' }, new Number(1), new String('1'), () => 1])(
    '%o is none',
    (id) => {
      expect(parsePetKey(id)).toBeUndefined()
    },
  )

  test('that is none is told by its value, and what to give instead', () => {
    expect(() => toPetKey('1.0')).toThrow(
      'Failed to read a petId: the id must be an int64: a safe integer, a bigint or a string of digits without leading zeros, got "1.0" (string).',
    )
  })

  test('-0 is the number 0, and the text -0 is nothing', () => {
    expect([toPetKey(-0), isPetKey('-0')]).toEqual(['0', false])
    expect(() => toPetKey('-0')).toThrow(expect.objectContaining({ code: 'INVALID_PET' }))
  })

  test.each([1.5, Number.NaN, 2 ** 53, '1.0', '', ' 1'])('toPetKey(%j) refuses with INVALID_PET', (id) => {
    expect(() => toPetKey(id)).toThrow(expect.objectContaining({ name: 'MockError', code: 'INVALID_PET' }))
  })
})

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

/** By the definition: what BigInt writes again as it was. */
function isCanonical(text: string): boolean {
  try {
    const value = BigInt(text)
    return String(value) === text && BigInt.asIntN(64, value) === value
  } catch {
    return false
  }
}
