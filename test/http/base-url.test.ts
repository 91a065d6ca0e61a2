import { describe, expect, test } from 'vitest'
import { type BaseUrls, isBelow, isCovered, toPathBelow } from '../../src/http/base-url.ts'

const BASES = toBases('/v1', '/v1/shop', '/other')

describe('the path below several base paths', () => {
  test.each([
    ['/v1/inventory', '/inventory'],
    ['/v1/shop/inventory', '/inventory'],
    ['/v1/shopping', '/shopping'],
    ['/other/', '/'],
    ['/elsewhere/v1/inventory', undefined],
    ['/v1', undefined],
    ['/v10/inventory', undefined],
  ])('of %s is %s, in whatever order they are given', (pathname, below) => {
    for (const bases of [BASES, BASES.toReversed() as readonly unknown[] as BaseUrls]) {
      expect(toPathBelow(bases, pathname)).toBe(below ?? `//${pathname}`)
      expect(isBelow(bases, pathname)).toBe(below !== undefined)
    }
  })

  test('of the root is the path itself', () => {
    expect(toPathBelow(toBases(''), '/inventory')).toBe('/inventory')
  })
})

test.each([
  ['http://a/v1', true],
  ['http://a/v1/inventory', true],
  ['http://a/_mock', true],
  ['http://a/v10', false],
  ['http://b/v1', false],
  ['http://b/other/inventory', true],
  ['http://b/_mock', true],
])('%s is covered by http://a/v1 and /other: %s', (url, isForUs) => {
  const bases: BaseUrls = [
    { origin: 'http://a', path: '/v1' },
    { origin: undefined, path: '/other' },
  ]
  expect(isCovered(new URL(url), bases)).toBe(isForUs)
})

function toBases(first: string, ...paths: readonly string[]): BaseUrls {
  const toBase = (path: string) => ({ origin: undefined, path })
  return [toBase(first), ...paths.map(toBase)]
}
