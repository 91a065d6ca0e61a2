import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseExactJson } from '../../src/http/exact-json.ts'
import { writeExactJson } from '../../src/http/write-exact-json.ts'

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
  test('writes what JSON.stringify writes, where nothing is lost', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(writeExactJson(value)).toBe(JSON.stringify(value))
      }),
    )
  })

  test('writes every integer with all its digits', () => {
    fc.assert(
      fc.property(fc.bigInt(), (value) => {
        expect(writeExactJson({ petId: value })).toBe(`{"petId":${value}}`)
      }),
    )
  })

  test('writes again what parseExactJson read', () => {
    fc.assert(
      fc.property(exactValue, (value) => {
        const text = writeExactJson(value, { isStrict: true })
        expect(writeExactJson(parseExactJson(text), { isStrict: true })).toBe(text)
      }),
    )
  })

  test('writes a number that no number and no bigint says as it was written', () => {
    for (const text of ['1e400', '-1E-400', '5.0000000000000000001', '[1e400,{"a":-1e999}]'])
      expect(writeExactJson(parseExactJson(text))).toBe(text)
  })

  const cycle: Record<string, unknown> = {}
  cycle['items'] = [{ order: cycle }]
  class Order {
    readonly id = 1
  }

  test.each<[string, unknown, string]>([
    ['NaN', Number.NaN, 'body is NaN'],
    ['Infinity in a list', [1, Number.POSITIVE_INFINITY], 'body[1] is Infinity'],
    ['a function', { total: () => 1 }, 'body.total is a function'],
    ['a symbol', { items: [{ id: Symbol('id') }] }, 'body.items[0].id is a symbol'],
    ['undefined', undefined, 'body is undefined'],
    ['undefined in a list', [undefined], 'body[0] is undefined'],
    ['a hole in a list', new Array(2), 'body[0] is undefined'],
    ['a cycle', cycle, 'body.items[0].order contains itself'],
    ['a Date', { at: new Date(0) }, 'body.at is an instance of Date'],
    ['an object of a class without a name', new (class {})(), 'body is an instance of a class'],
    ['a Map', new Map([[1, 2]]), 'body is an instance of Map'],
    ['a boxed number', new Number(5), 'body is an instance of Number'],
    ['an object of a class', { order: new Order() }, 'body.order is an instance of Order'],
    ['a toJSON of its own', { toJSON: () => 1 }, 'body.toJSON is a function'],
  ])('refuses %s by its place', (_, value, message) => {
    for (const isStrict of [true, false])
      expect(() => writeExactJson(value, { path: 'body', isStrict })).toThrow(`${message}, which JSON cannot represent`)
  })

  test.each<[string, unknown, string, string]>([
    ['a member that is undefined', { a: undefined, b: 1 }, 'body.a is undefined', '{"b":1}'],
    ['-0', [-0], 'body[0] is -0', '[0]'],
    ['half of a surrogate pair', ['\ud83d'], 'body[0] has a lone surrogate', '["\\ud83d"]'],
    ['a name with half of one', { '\ud83d': 1 }, 'body has a lone surrogate', '{"\\ud83d":1}'],
  ])('refuses %s where it is strict, else writes what JSON.stringify writes', (_, value, message, text) => {
    expect(() => writeExactJson(value, { path: 'body', isStrict: true })).toThrow(message)
    expect(writeExactJson(value)).toBe(text)
    expect(JSON.stringify(value)).toBe(text)
  })

  test('takes the same object twice, for that is no cycle', () => {
    const address = { city: 'Ulm' }
    expect(writeExactJson([address, { address }])).toBe('[{"city":"Ulm"},{"address":{"city":"Ulm"}}]')
  })

  test('takes objects without a prototype, and those of another realm', () => {
    const bare: Record<string, unknown> = Object.create(null)
    bare['a'] = 1
    expect(writeExactJson([bare, runInNewContext('({ b: [2] })')])).toBe('[{"a":1},{"b":[2]}]')
  })

  test('takes 1,000 levels, and refuses the next in a line that can be read', () => {
    const nest = (levels: number): unknown => (levels === 0 ? 1 : [nest(levels - 1)])
    expect(writeExactJson(nest(1000))).toHaveLength(2001)
    expect(() => writeExactJson(nest(1001), { path: 'body' })).toThrow(
      /^body\[0\][[\]0…]{10,60} is nested more than 1000 levels deep, which JSON cannot represent$/,
    )
  })

  test('refuses 100,000 levels without an overflow of the stack', () => {
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level += 1) deep = { a: deep }
    expect(() => writeExactJson(deep)).toThrow('is nested more than 1000 levels deep')
  })
})

describe('the error of a value that cannot be written', () => {
  const toError = (value: unknown): unknown => {
    try {
      return writeExactJson(value, { isStrict: true })
    } catch (error) {
      return error
    }
  }

  test('has its name, and names the value', () => {
    expect(toError(undefined)).toMatchObject({
      name: 'UnwritableError',
      message: 'the value is undefined, which JSON cannot represent',
    })
  })

  test.each([
    ['no constructor', { constructor: undefined }],
    ['a constructor whose name is no text', { constructor: { name: 5 } }],
  ])('names a class with %s as one', (_, prototype) => {
    expect(toError(Object.create(prototype))).toHaveProperty(
      'message',
      'the value is an instance of a class, which JSON cannot represent',
    )
  })

  test('shows twelve steps to the value, and the beginning and end of more', () => {
    const nest = (levels: number): unknown => (levels === 0 ? undefined : [nest(levels - 1)])
    expect([toError(nest(11)), toError(nest(12))]).toMatchObject([
      { message: `the value${'[0]'.repeat(11)} is undefined, which JSON cannot represent` },
      { message: `the value${'[0]'.repeat(5)}…${'[0]'.repeat(5)} is undefined, which JSON cannot represent` },
    ])
  })
})
