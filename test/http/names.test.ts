import { describe, expect, test } from 'vitest'
import { assertKnown, explainUnknown } from '../../src/http/assert-known.ts'
import { suggest } from '../../src/http/suggest.ts'

describe('suggest', () => {
  const KNOWN = ['port', 'host', 'fixture', 'quantity-min', 'quantity-max']

  test.each([
    ['prot', ' Did you mean port?'],
    ['PORT', ' Did you mean port?'],
    ['por', ' Did you mean port?'],
    ['ports', ' Did you mean port?'],
    ['fixtrue', ' Did you mean fixture?'],
    ['fixtures', ' Did you mean fixture?'],
    ['quantitymax', ' Did you mean quantity-max?'],
    ['quantity-mix', ' Did you mean quantity-min?'],
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

describe('assertKnown', () => {
  const assert = (value: unknown): void => assertKnown(value, { failure: 'Failed to start', known: ['port', 'host'] })

  test('takes an object with known properties, or none', () => {
    assert({})
    assert({ port: 1 })
    assert(Object.create({ inherited: 1 }))
  })

  test.each([
    [null, 'Failed to start: expected an object with port, host, got null (null).'],
    [[], 'Failed to start: expected an object with port, host, got [] (array).'],
    ['port', 'Failed to start: expected an object with port, host, got "port" (string).'],
    [{ port: 1, prot: 2 }, 'Failed to start: prot is not known. Did you mean port? Known: port, host.'],
  ])('refuses %o', (value, message) => {
    expect(() => assert(value)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION', message }))
  })

  test('gives the code that it is told', () => {
    expect(() => assertKnown(1, { failure: 'f', known: [], code: 'INVALID_FAULT' })).toThrow(
      expect.objectContaining({ code: 'INVALID_FAULT' }),
    )
  })

  test('a long name is cut', () => {
    expect(explainUnknown('x'.repeat(100), ['port'])).toBe(`${'x'.repeat(40)}… is not known. Known: port.`)
  })
})
