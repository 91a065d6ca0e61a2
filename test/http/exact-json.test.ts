import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findMember, isJsonObject, JsonNumber, parseExactJson } from '../../src/http/exact-json.ts'

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

  test('says why a text is not JSON without repeating it', () => {
    fc.assert(
      fc.property(fc.constantFrom('', '{', '[', '{"a":', '[1,', '1 ', '"a" '), fc.string(), (start, end) => {
        const text = `${start}MARKER${end}`
        const message = toMessage(() => parseExactJson(text))
        expect(message).not.toContain('MARKER')
        expect(message).not.toBe('')
      }),
    )
    expect(toMessage(() => parseExactJson('{"a":1 "b"}'))).toMatch(/position 7/)
  })

  // The messages of V8.
  test.each([
    ['x', "Unexpected token 'x'"],
    ['x'.repeat(100), "Unexpected token 'x'"],
    [`{"${'a'.repeat(30)}":x,"${'b'.repeat(30)}":1}`, "Unexpected token 'x'"],
    ['[object Object]', 'unexpected text'],
  ])('says of %s only %s', (text, message) => {
    expect(toMessage(() => parseExactJson(text))).toBe(message)
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

  test.each([
    ['5e0', 5],
    ['5E0', 5],
    ['-1.50e1', -15],
    ['0.05e2', 5],
    ['100e-2', 1],
    ['-0.0e-5', -0],
    ['-0', -0],
    ['1.5', 1.5],
    ['9007199254740991.0', 2 ** 53 - 1],
  ])('%s is the number %d', (text, value) => {
    expect(parseExactJson(text)).toBe(value)
  })

  test('is refused by name, where it is nested too deeply', () => {
    const nested = '['.repeat(2000) + ']'.repeat(2000)
    expect(() => parseExactJson(nested)).toThrow(expect.objectContaining({ name: 'NestingError' }))
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

  test.each([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"[":"\\"[","b":', '}]'],
  ])('takes 1,000 levels of %j, and refuses more', (open, close) => {
    const levels = 1000 / [...open.replaceAll(/"(\\.|[^"])*"/g, '')].filter((one) => '[{'.includes(one)).length
    const nest = (count: number): string => `${open.repeat(count)}1.5${close.repeat(count)}`
    expect(JSON.stringify(parseExactJson(nest(levels)))).toBe(nest(levels))
    for (const count of [levels + 1, 100_000])
      expect(() => parseExactJson(nest(count))).toThrow('nested more than 1000 levels deep')
  })

  test('counts the levels, and not the brackets', () => {
    const wide = JSON.stringify(Array.from({ length: 3000 }, () => [{ a: '[[[{{{"\\' }]))
    expect(JSON.stringify(parseExactJson(wide))).toBe(wide)
  })

  test('an opening bracket without an end is a SyntaxError, however many there are', () => {
    for (const text of ['['.repeat(900), `"${'['.repeat(5000)}`, `${'['.repeat(5000)}`])
      expect(() => parseExactJson(text)).toThrow(SyntaxError)
  })
})

describe('findMember', () => {
  const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/)
  const name = fc.oneof(fc.constantFrom('body', 'status', '__proto__', 'b"o\\dy'), fc.string())
  const members = fc.array(fc.tuple(name, fc.json(), fc.array(space, { minLength: 4, maxLength: 4 })), { maxLength: 5 })

  test('finds the text of a member as it was written, of a repeated name the last', () => {
    fc.assert(
      fc.property(members, name, (list, wanted) => {
        const parts = list.map(([key, json, [a, b, c, d]]) => `${a}${JSON.stringify(key)}${b}:${c}${toLoose(json)}${d}`)
        const last = list.findLast(([key]) => key === wanted)
        expect(findMember(`{${parts.join(',')}}`, wanted)).toBe(last && toLoose(last[1]))
      }),
    )
  })

  test('knows a name however it is escaped', () => {
    expect(findMember(String.raw` {"a":1,"b\u006fdy":1.0}`, 'body')).toBe('1.0')
  })

  /** As nobody's library writes it. */
  function toLoose(json: string): string {
    return json
      .replace(/^\[/, '[ \n')
      .replace(/^\{/, '{\t')
      .replace(/^(-?\d+)$/, '$1.0e0')
  }
})

test('isJsonObject tells an object from a list, null and a number', () => {
  const values = ['{}', '[]', 'null', '1e400', '"a"', 'true'].map((text) => parseExactJson(text))
  expect(values.map(isJsonObject)).toEqual([true, false, false, false, false, false])
})

function toPlain(_key: string, value: unknown): unknown {
  if (value instanceof JsonNumber) return Number(value.source)
  return typeof value === 'bigint' ? Number(value) : value
}

function toMessage(act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
