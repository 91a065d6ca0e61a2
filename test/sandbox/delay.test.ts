import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseWith } from '../../src/http/schema.ts'
import { DELAY, type Delay, drawDelay } from '../../src/sandbox/delay.ts'

const DAY = 86_400_000

const parseDelay = (given: unknown): Delay => parseWith(DELAY, given, { failure: 'Failed', subject: 'the delay' })

describe('a delay', () => {
  test('of a range is drawn from all of it, bounds included, and from nothing else', () => {
    const range = fc.tuple(fc.nat(DAY), fc.nat(DAY)).map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)])
    const drawn = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(range, drawn, ([min, max], random) => {
        expect(drawDelay([min, max], () => 0)).toBe(min)
        expect(drawDelay([min, max], () => 1 - 2 ** -53)).toBe(max)
        const delay = drawDelay([min, max], () => random)
        expect(delay >= min && delay <= max && Number.isInteger(delay)).toBe(true)
      }),
    )
  })

  test('that is fixed is not drawn', () => {
    expect(drawDelay(200, () => expect.fail('it was drawn'))).toBe(200)
  })

  test.each<[unknown, Delay]>([
    [0, 0],
    [0.5, 0.5],
    [DAY, DAY],
    [
      [0, DAY],
      [0, DAY],
    ],
    [
      [5, 5],
      [5, 5],
    ],
    ['200', 200],
    ['100-300', [100, 300]],
  ])('%j is taken', (given, delay) => {
    expect(parseDelay(given)).toEqual(delay)
  })

  test.each([
    -1,
    DAY + 1,
    Number.NaN,
    [3, 1],
    [1, 2, 3],
    [],
    [7],
    [0, DAY + 1],
    '300-100',
    '1-2-3',
    '1.5',
    ' 1',
    '',
    '-1',
    ['1', '2'],
    null,
    true,
    1n,
  ])('%o is refused by name', (given) => {
    expect(() => parseDelay(given)).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTION',
        message: expect.stringMatching(/^Failed: the delay must be milliseconds up to a day/),
      }),
    )
  })
})
