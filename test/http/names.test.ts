import { describe, expect, test } from 'vitest'
import { explainUnknown, suggest } from '../../src/http/suggest.ts'

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
