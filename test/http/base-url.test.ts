import { describe, expect, test } from 'vitest'
import {
  BASE_URLS,
  type BaseUrl,
  type BaseUrls,
  isBelow,
  isCovered,
  overlap,
  toPathBelow,
  writeBaseUrl,
} from '../../src/http/base-url.ts'
import { parseWith } from '../../src/http/schema.ts'

const BASES = toBases('/v1', '/v1/shop', '/other')

describe('the path below several base paths', () => {
  test.each([
    ['/v1/inventory', '/inventory'],
    ['/v1/shop/inventory', '/inventory'],
    ['/v1/shopping', '/shopping'],
    ['/other/', '/'],
    ['/v1//x', '//x'],
    ['/elsewhere/v1/inventory', undefined],
    ['/v1', undefined],
    ['/v10/inventory', undefined],
  ])('of %s is %s, in whatever order they are given', (pathname, below) => {
    for (const bases of [BASES, BASES.toReversed() as readonly unknown[] as BaseUrls]) {
      expect(toPathBelow(bases, pathname)).toBe(below)
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

describe('two lists of base URLs', () => {
  const ANY = undefined
  test.each<[string, BaseUrl, BaseUrl, boolean]>([
    ['the same path', { origin: ANY, path: '/v1' }, { origin: ANY, path: '/v1' }, true],
    ['a path below the other', { origin: ANY, path: '/v1/shop' }, { origin: ANY, path: '/v1' }, true],
    ['the root', { origin: ANY, path: '' }, { origin: ANY, path: '/v1' }, true],
    ['other paths', { origin: ANY, path: '/v1' }, { origin: ANY, path: '/v2' }, false],
    ['a path that only begins alike', { origin: ANY, path: '/v1' }, { origin: ANY, path: '/v10' }, false],
    ['the same origin', { origin: 'http://a', path: '/v1' }, { origin: 'http://a', path: '/v1' }, true],
    ['other origins', { origin: 'http://a', path: '/v1' }, { origin: 'http://b', path: '/v1' }, false],
    ['one origin and any', { origin: 'http://a', path: '/v1' }, { origin: ANY, path: '/v1' }, true],
    ['an origin and another path', { origin: 'http://a', path: '/v1' }, { origin: ANY, path: '/v2' }, false],
  ])('overlap or not: %s', (_, one, other, expected) => {
    const apart: BaseUrl = { origin: 'http://apart', path: '/apart' }
    expect([overlap([one], [other]), overlap([other], [one])]).toEqual([expected, expected])
    expect([overlap([apart, one], [other]), overlap([one], [apart, other])]).toEqual([expected, expected])
  })
})

test.each<[BaseUrl, string]>([
  [{ origin: undefined, path: '/v1' }, '/v1'],
  [{ origin: undefined, path: '' }, '/'],
  [{ origin: 'http://a', path: '' }, 'http://a'],
  [{ origin: 'http://a', path: '/v1' }, 'http://a/v1'],
])('the base URL %j is written as %s', (base, text) => {
  expect(writeBaseUrl(base)).toBe(text)
})

const parse = (value: unknown) => parseWith(BASE_URLS, value, { failure: 'Failed', subject: 'the base URL' })

test.each<[unknown, BaseUrl[]]>([
  ['/v1', [{ origin: undefined, path: '/v1' }]],
  ['/v1///', [{ origin: undefined, path: '/v1' }]],
  ['/a//', [{ origin: undefined, path: '/a' }]],
  ['/', [{ origin: undefined, path: '' }]],
  ['HTTPS://A.example/v1/', [{ origin: 'https://a.example', path: '/v1' }]],
  ['https://a.example', [{ origin: 'https://a.example', path: '' }]],
  ['http://a.example:81/v1/', [{ origin: 'http://a.example:81', path: '/v1' }]],
  [
    ['/a', '/b'],
    [
      { origin: undefined, path: '/a' },
      { origin: undefined, path: '/b' },
    ],
  ],
])('the base URL %j is read as %j', (value, bases) => {
  expect(parse(value)).toEqual(bases)
})

test.each<[unknown, string]>([
  [5, 'the base URL must be an http address'],
  ['v1', 'the base URL must be an http address'],
  ['//a.example/v1', 'the base URL must be an http address'],
  ['ftp://a.example', 'the base URL must be an http address'],
  ['https-x://a.example/v1', 'the base URL must be an http address'],
  ['xhttp://a.example/v1', 'the base URL must be an http address'],
  ['http://a.example/v1?a=b', 'the base URL must be an http address'],
  ['/v1#a', 'the base URL must be an http address'],
  ['/_mock/v1', 'the base URL must be an http address'],
  [[], 'the base URL is empty. Give at least one address.'],
  [['/v1', 'v2'], '[1] must be an http address'],
])('the base URL %j is refused', (value, message) => {
  expect(() => parse(value)).toThrow(`Failed: ${message}`)
})

function toBases(first: string, ...paths: readonly string[]): BaseUrls {
  const toBase = (path: string) => ({ origin: undefined, path })
  return [toBase(first), ...paths.map(toBase)]
}
