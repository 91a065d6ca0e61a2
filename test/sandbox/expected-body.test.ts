import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { explainExpectedBody } from '../../src/sandbox/expected-body.ts'

const cycle: { self?: unknown } = {}
cycle.self = cycle

describe('the expected body of a request', () => {
  test.each<[string, unknown, string]>([
    [
      'a promise',
      Promise.resolve({ quantity: 99 }),
      'it must be JSON, or an asymmetric matcher such as expect.any(Number), got {} (Promise)',
    ],
    ['URL parameters', new URLSearchParams({ quantity: '5' }), 'got {} (URLSearchParams)'],
    [
      'a pattern',
      { name: /Rex/ },
      'name must be JSON, or an asymmetric matcher such as expect.any(Number), got {} (RegExp)',
    ],
    [
      'undefined in it',
      { quantity: undefined },
      'quantity must be JSON, or an asymmetric matcher such as expect.any(Number), got undefined (undefined)',
    ],
    ['a function', [() => 1], '0 must be JSON'],
    ['NaN', { deep: [{ quantity: Number.NaN }] }, 'quantity must be JSON'],
    ['a cycle', cycle, 'is nested more than 1000 levels deep'],
  ])('%s can never match, and is refused', (_, body, reason) => {
    expect(explainExpectedBody(body)).toContain(reason)
    expect(() => createMock().journal.find({ body })).toThrow(
      `Failed to search the journal: body ${reason.startsWith('is') ? reason : 'can never match: '}`,
    )
  })

  test('any JSON can match, with asymmetric matchers anywhere', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(explainExpectedBody(body)).toBeUndefined()
        expect(explainExpectedBody({ body, quantity: expect.any(Number), big: 5n })).toBeUndefined()
      }),
    )
  })

  test.each([
    ['headers', new Headers({ 'content-type': 'text/xml' }), 'headers must be an object of headers, got {} (Headers).'],
    ['the filter', undefined, 'the filter must be an object with'],
  ])('%s of a class without properties are refused', (_, headers, message) => {
    const filter = headers === undefined ? new Map([['status', 500]]) : { headers }
    expect(() => createMock().journal.find(filter as never)).toThrow(message)
  })
})
