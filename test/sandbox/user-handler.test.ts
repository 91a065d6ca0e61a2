import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { parseWith } from '../../src/http/schema.ts'
import { createMock } from '../../src/index.ts'
import { createHandlers } from '../../src/msw/create-handlers.ts'
import { isUserHandler, USER_HANDLERS } from '../../src/sandbox/user-handler.ts'

const HANDLER = { info: { header: 'GET /pets' }, run: () => {} }

describe('a handler of the user’s own', () => {
  test.each<[string, unknown, boolean]>([
    ['a handler of msw', HANDLER, true],
    ['a handler without a header', { ...HANDLER, info: {} }, false],
    ['a header that is no text', { ...HANDLER, info: { header: 5 } }, false],
    ['a handler without info', { run: HANDLER.run }, false],
    ['a handler that cannot run', { info: HANDLER.info }, false],
    ['a handler whose run is no function', { ...HANDLER, run: true }, false],
    ['null', null, false],
    ['undefined', undefined, false],
  ])('%s: %o is one: %s', (_, value, isOne) => {
    expect(isUserHandler(value)).toBe(isOne)
  })

  test.each<[unknown, string]>([
    [HANDLER, 'Failed: the handlers must be an array, got {"info":{"header":"GET /pets"},"run":"fu… (object).'],
    [[HANDLER, 5], '[1] must be an msw request handler, such as http.get(path, resolver), got 5 (number). Spread'],
    [[http.get('*/v1/pets/{petId}', () => {})], '[0] has a path with {name}, which msw writes as :name'],
    [createHandlers(createMock()), "[0] is a handler of createHandlers(), which belongs in msw's"],
  ])('%o is refused, and it is said why', (value, message) => {
    expect(() => parseWith(USER_HANDLERS, value, { failure: 'Failed', subject: 'the handlers' })).toThrow(message)
  })

  test('is taken as it is', () => {
    expect(parseWith(USER_HANDLERS, [HANDLER], { failure: 'Failed' })[0]).toBe(HANDLER)
  })
})
