import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBeyondInt64, isPetKey, parsePetKey, toPetId, toPetKey } from '../../src/inventory/pet.ts'

const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)
const beyond = fc.oneof(fc.bigInt(2n ** 63n, 2n ** 80n), fc.bigInt(-(2n ** 80n), -(2n ** 63n) - 1n))

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

  test('an integer that no int64 holds is told from other texts', () => {
    fc.assert(fc.property(beyond, (id) => isBeyondInt64(String(id))))
    fc.assert(fc.property(int64, (id) => !isBeyondInt64(String(id))))
    for (const text of ['9223372036854775808x', 'x9223372036854775808', '09223372036854775808', '', 'abc'])
      expect(isBeyondInt64(text)).toBe(false)
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
      'Failed to read a petId: the id must be an int64: a safe integer, a bigint or a string of decimal digits, got "1.0" (string).',
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

/** By the definition: what BigInt writes again as it was. */
function isCanonical(text: string): boolean {
  try {
    const value = BigInt(text)
    return String(value) === text && BigInt.asIntN(64, value) === value
  } catch {
    return false
  }
}
