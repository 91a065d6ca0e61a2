import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRouter, refuseMethod } from '../../src/http/router.ts'

const [list, patch, add, item] = [
  { method: 'GET', path: '/pets' },
  { method: 'PATCH', path: '/pets/{petId}' },
  { method: 'POST', path: '/pets' },
  { method: 'GET', path: '/pets/{petId}/photos/{photo}' },
]
const match = createRouter([list, patch, add, item])

describe('a router', () => {
  test.each([
    ['GET', '/pets', { kind: 'found', route: list, params: {} }],
    ['HEAD', '/pets', { kind: 'found', route: list, params: {} }],
    ['POST', '/pets', { kind: 'found', route: add, params: {} }],
    ['DELETE', '/pets', { kind: 'wrong-method', allow: 'GET, HEAD, POST' }],
    ['GET', '/pets/7', { kind: 'wrong-method', allow: 'PATCH' }],
    ['HEAD', '/pets/7', { kind: 'wrong-method', allow: 'PATCH' }],
    ['PATCH', '/pets/7', { kind: 'found', route: patch, params: { petId: '7' } }],
    ['PATCH', '/pets/', { kind: 'unknown' }],
    ['GET', '/pets//photos/a', { kind: 'unknown' }],
    ['PATCH', '/pets/%37%2F', { kind: 'found', route: patch, params: { petId: '7/' } }],
    ['PATCH', '/pets/%', { kind: 'found', route: patch, params: { petId: '%' } }],
    ['PATCH', '/pets/%ff', { kind: 'found', route: patch, params: { petId: '%ff' } }],
    ['PATCH', '/%70ets/7', { kind: 'found', route: patch, params: { petId: '7' } }],
    ['GET', '/pets/7/photos/a', { kind: 'found', route: item, params: { petId: '7', photo: 'a' } }],
    ['GET', '/pets/7/photo/a', { kind: 'unknown' }],
    ['GET', '/Pets', { kind: 'unknown' }],
    ['GET', '/pets/7/photos', { kind: 'unknown' }],
    ['GET', 'pets', { kind: 'unknown' }],
    ['GET', '', { kind: 'unknown' }],
  ])('%s %s', (method, path, expected) => {
    expect(match(method, path)).toEqual(expected)
  })

  test('takes a path without parameters before a template that fits, in whatever order they are listed', () => {
    const transfers = { method: 'POST', path: '/pets/transfers' }
    const find = createRouter([patch, transfers])
    expect(find('POST', '/pets/transfers')).toEqual({ kind: 'found', route: transfers, params: {} })
    expect(find('PATCH', '/pets/7')).toMatchObject({ kind: 'found', route: patch })
    expect(find('PATCH', '/pets/transfers')).toEqual({ kind: 'wrong-method', allow: 'POST' })
  })

  test('takes the most literal of the routes that fit, and of several the first', () => {
    const segments = (...names: string[]) => fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
    const routes = fc.uniqueArray(
      segments('a', 'b', '{x}').map((parts) => `/${parts.join('/')}`),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(routes, segments('a', 'b', 'c'), (paths, parts) => {
        const fitting = paths.filter((path) => {
          const wanted = path.slice(1).split('/')
          return wanted.length === parts.length && wanted.every((text, index) => ['{x}', parts[index]].includes(text))
        })
        const [first] = fitting.toSorted((one, other) => one.split('{').length - other.split('{').length)
        const found = createRouter(paths.map((path) => ({ method: 'GET', path })))('GET', `/${parts.join('/')}`)
        expect(found).toMatchObject(
          first === undefined ? { kind: 'unknown' } : { kind: 'found', route: { path: first } },
        )
      }),
    )
  })
})

test('refuseMethod says what is allowed, and repeats no credential', () => {
  const { status, headers, body } = refuseMethod({ method: 'PUT', path: '/pets?key=secret' }, 'GET, HEAD')
  const error = JSON.parse(new TextDecoder().decode(body))
  expect([status, headers['allow'], error]).toEqual([
    405,
    'GET, HEAD',
    {
      code: 'method_not_allowed',
      message: 'PUT is not allowed on /pets?key=(hidden). Allowed: GET, HEAD',
      status: 405,
    },
  ])
})
