import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rawJSON } from '../../src/http/exact-json.ts'
import { cut, explainUnknown, quote, suggest } from '../../src/http/quote.ts'

describe('quote', () => {
  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle

  test.each<[unknown, string]>([
    ['five', '"five" (string)'],
    ['', '"" (string)'],
    ['a"b\n', '"a\\"b\\n" (string)'],
    ['x'.repeat(40), `"${'x'.repeat(40)}" (string)`],
    ['x'.repeat(41), `"${'x'.repeat(40)}…" (string)`],
    [5.5, '5.5 (number)'],
    [5n, '5 (number)'],
    [rawJSON('1e400'), '1e400 (number)'],
    [null, 'null'],
    [undefined, 'undefined'],
    [true, 'true (boolean)'],
    [() => 1, 'function (function)'],
    [Symbol('a'), 'Symbol(a) (symbol)'],
    [[], '[] (array)'],
    [[1, 'a', [null]], '[1,"a",[null]] (array)'],
    [{}, '{} (object)'],
    [{ a: 1, b: [2n] }, '{"a":1,"b":[2]} (object)'],
    [{ toString: 1, a: '?key=x' }, '{"toString":1,"a":"?key=(hidden)"} (object)'],
    [{ asymmetricMatch: () => true, toAsymmetricMatcher: () => 'Any<Number>' }, 'Any<Number> (object)'],
    [{ asymmetricMatch: () => true, toString: () => 'anything' }, 'anything (object)'],
    [{ a: { asymmetricMatch: () => true, toString: () => 'anything' } }, '{"a":"anything"} (object)'],
    [cycle, '{…} (object)'],
    [Array(200).fill(1), `[${'1,'.repeat(19)}1… (array)`],
  ])('%o', (value, text) => {
    expect(quote(value)).toBe(text)
  })

  test('of an object with a getter that throws shows its brackets', () => {
    const broken = Object.defineProperty({}, 'a', {
      enumerable: true,
      get() {
        throw new Error('no')
      },
    })
    expect(quote(broken)).toBe('{…} (object)')
  })

  test('is short, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        (value) => {
          expect(quote(value).length).toBeLessThan(300)
        },
      ),
    )
  })
})

test('cut counts characters, and takes none apart', () => {
  expect(cut('😀'.repeat(41))).toBe(`${'😀'.repeat(40)}…`)
  expect(cut('😀'.repeat(40))).toBe('😀'.repeat(40))
  // Of a path, before an unknown pet, fault or sandbox.
  expect(cut('token=abc123')).toBe('token=(hidden)')
})

describe('suggest', () => {
  const KNOWN = ['port', 'host', 'fixture', 'quantity-min', 'quantity-max']

  test.each([
    ['prot', ' Did you mean port?'],
    ['PORT', ' Did you mean port?'],
    ['hoost', ' Did you mean host?'],
    ['hest', ' Did you mean host?'],
    ['por', ' Did you mean port?'],
    ['ports', ' Did you mean port?'],
    ['fixtrue', ' Did you mean fixture?'],
    ['fixtures', ' Did you mean fixture?'],
    ['quantitymax', ' Did you mean quantity-max?'],
    ['quantity-mix', ' Did you mean quantity-min?'],
    ['quantiy-ma', ' Did you mean quantity-max?'],
    ['fixtu', ''],
    ['pxqt', ''],
    ['pxot', ''],
    ['prxt', ''],
    ['xyz', ''],
    ['pets', ''],
    ['', ''],
    ['constructor', ''],
    ['fixture'.padEnd(70, 'x'), ''],
  ])('%s%s', (name, sentence) => {
    expect(suggest(name, KNOWN)).toBe(sentence)
  })

  test('has nothing to say where nothing is known', () => {
    expect(suggest('port', [])).toBe('')
  })
})

test('a name that is not known is refused with those that are', () => {
  expect(explainUnknown('prot', ['port', 'host'])).toBe('is not known. Did you mean port? Known: port, host.')
})
