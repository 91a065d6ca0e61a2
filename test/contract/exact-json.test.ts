import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonNumber, parseExactJson } from '../../src/contract/exact-json.ts'

describe('parseExactJson', () => {
  test('reads what JSON.parse reads, where nothing is rounded', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        const usual = JSON.parse(text) as unknown
        expect(JSON.stringify(parseExactJson(text), toPlain)).toBe(JSON.stringify(usual))
      }),
    )
  })

  test('reads every integer exactly', () => {
    fc.assert(
      fc.property(fc.bigInt(), (value) => {
        expect(BigInt(parseExactJson(String(value)) as bigint)).toBe(value)
      }),
    )
  })

  test('knows a whole number by its digits, however it is written', () => {
    const written = fc.tuple(fc.bigInt(-(10n ** 15n), 10n ** 15n), fc.integer({ min: 0, max: 30 }))
    fc.assert(
      fc.property(written, ([value, zeros]) => {
        const shifted = `${value}${'0'.repeat(zeros)}e-${zeros}`
        const pointed = `${value}.${'0'.repeat(zeros + 1)}`
        expect(parseExactJson(pointed)).toBe(Number(value))
        expect(parseExactJson(value === 0n ? `0e-${zeros}` : shifted)).toBe(Number(value))
      }),
    )
  })

  test('does not take a fraction for a whole number, however small it is', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 0, max: 40 }), (whole, zeros) => {
        const value = parseExactJson(`${whole}.${'0'.repeat(zeros)}1`)
        const isFraction = value instanceof JsonNumber || !Number.isInteger(value)
        expect(isFraction).toBe(true)
      }),
    )
  })

  test.each(['', '{', '01', '+1', '.5', '1.', 'NaN', "'a'", '[1,]', '\u00a01'])('%j is a SyntaxError', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError)
  })
})

function toPlain(_key: string, value: unknown): unknown {
  if (value instanceof JsonNumber) return Number(value.source)
  return typeof value === 'bigint' ? Number(value) : value
}
