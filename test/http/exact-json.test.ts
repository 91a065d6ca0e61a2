import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isJsonNumber, parseExactJson, writeExactJson } from '../../src/http/exact-json.ts'

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

  test('an integer of more than 1,000 digits keeps its text, because BigInt would take long', () => {
    const digits = '9'.repeat(2_000_000)
    const [value] = parseExactJson(`[${digits}]`) as [unknown]
    expect(isJsonNumber(value) && value.rawJSON === digits).toBe(true)
    expect(parseExactJson('7'.repeat(1000))).toBe(BigInt('7'.repeat(1000)))
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
      expect(() => parseExactJson(nest(count))).toThrow(
        expect.objectContaining({ name: 'SyntaxError', message: 'nested more than 1000 levels deep' }),
      )
  })
})

/** Any JSON, with integers of any size in it. */
const { value: exactValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false),
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
    fc.bigInt().filter((value) => !Number.isSafeInteger(Number(value))),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string({ unit: 'binary' }), fc.constant('__proto__')), tie('value'), { maxKeys: 4 }),
  ),
}))

describe('writeExactJson', () => {
  test('writes again what parseExactJson read, with all digits', () => {
    fc.assert(
      fc.property(exactValue, (value) => {
        const text = writeExactJson(value)
        expect(writeExactJson(parseExactJson(text))).toBe(text)
      }),
    )
    for (const text of ['1e400', '-1E-400', '5.0000000000000000001', '[1e400,{"a":-1e999}]', `{"petId":${2n ** 70n}}`])
      expect(writeExactJson(parseExactJson(text))).toBe(text)
  })

  test('writes a bigint as a number, whatever `BigInt.prototype.toJSON` says', () => {
    Object.defineProperty(BigInt.prototype, 'toJSON', { configurable: true, value: String })
    try {
      expect(writeExactJson({ petId: 2n ** 63n })).toBe('{"petId":9223372036854775808}')
    } finally {
      Reflect.deleteProperty(BigInt.prototype, 'toJSON')
    }
  })

  test.each<[string, unknown, string]>([
    ['NaN', Number.NaN, 'body is NaN'],
    ['Infinity in a list', [1, Number.POSITIVE_INFINITY], 'body: 1 is Infinity'],
    ['a function', { total: () => 1 }, 'body: total is a function'],
    ['a symbol', { items: [{ id: Symbol('id') }] }, 'body: id is a symbol'],
    ['undefined', undefined, 'body is undefined'],
    ['an object of a class without a name', new (class {})(), 'body is a class'],
    ['a class without a constructor', Object.create({ constructor: undefined }), 'body is a class'],
    ['a class whose name is no text', Object.create({ constructor: { name: 5 } }), 'body is a class'],
    ['a promise', { pet: Promise.resolve({}) }, 'body: pet is a Promise'],
  ])('refuses %s by its name', (_, value, message) => {
    expect(() => writeExactJson(value, 'body')).toThrow(
      expect.objectContaining({ name: 'UnwritableError', message: `${message}, which JSON cannot represent` }),
    )
  })

  test('leaves out a member that is undefined, as JSON.stringify does', () => {
    expect(writeExactJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}')
  })

  test('refuses a cycle, and 100,000 levels, in one line', () => {
    const cycle: Record<string, unknown> = {}
    cycle['items'] = [{ order: cycle }]
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level += 1) deep = { a: deep }
    for (const value of [cycle, deep])
      expect(() => writeExactJson(value)).toThrow(
        expect.objectContaining({
          name: 'UnwritableError',
          message: expect.stringMatching(/^the value cannot be written as JSON: .+$/),
        }),
      )
  })

  test('takes the same object twice, objects without a prototype, and those of another realm', () => {
    const address = { city: 'Ulm' }
    expect(writeExactJson([address, { address }])).toBe('[{"city":"Ulm"},{"address":{"city":"Ulm"}}]')
    const bare: Record<string, unknown> = Object.create(null)
    bare['a'] = 1
    expect(writeExactJson([bare, runInNewContext('({ b: [2] })')])).toBe('[{"a":1},{"b":[2]}]')
  })
})

function toPlain(_key: string, value: unknown): unknown {
  if (isJsonNumber(value)) return Number(value.rawJSON)
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
