import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { parseWith } from '../../src/http/schema.ts'
import { PROFILE } from '../../src/inventory/profile.ts'
import { type MockOptions, parseOptions } from '../../src/service/mock-options.ts'

/** What the mock decides by itself. */
const DECIDED_HERE = parseWith(PROFILE, {}, { failure: 'Failed to decide' })

describe('parseOptions', () => {
  test('completes what was left out', () => {
    const numbers = { delay: 0, randomSeed: 1, journalSize: 1000, maxSandboxes: 10_000 }
    const others = { fixtures: {}, apiKeys: ['demo-key'], anyKey: false, handlers: [], prefer: false }
    const baseUrl = [{ origin: undefined, path: '/v1' }]
    expect(parseOptions({})).toMatchObject({ ...numbers, ...others, baseUrl, rules: DECIDED_HERE })
  })

  test('takes every option', () => {
    const handlers = [http.get('/a', () => undefined)]
    const saveState = async (): Promise<void> => {}
    const given = { fixture: 'm', fixtures: { m: { inventory: [] } }, apiKeys: ['a'], randomSeed: 2, journalSize: 3 }
    const others = { maxSandboxes: 4, prefer: true, saveState, handlers, delay: 5, sunset: '2027-01-01' }
    const options = { ...given, ...others, baseUrl: 'https://a.example/b', quantity: { min: 1, max: 6 } }
    expect(parseOptions({ anyKey: true }).anyKey).toBe(true)
    expect(parseOptions(options)).toMatchObject({
      ...given,
      anyKey: false,
      ...others,
      baseUrl: [{ origin: 'https://a.example', path: '/b' }],
      rules: { ...DECIDED_HERE, quantity: { min: 1, max: 6 } },
      sunset: new Date('2027-01-01'),
    })
  })

  test.each(['31 January 2027', '28 Feb 2027 12:00'])('takes the date %s', (sunset) => {
    expect(parseOptions({ sunset }).sunset).toEqual(new Date(sunset))
  })

  test('a proxy gets no keys unless it is told so', () => {
    const url = new URL('https://a.example')
    expect(parseOptions({ proxy: url.href }).proxy).toMatchObject({ url, keys: false })
    expect(parseOptions({ proxy: { url: url.href } }).proxy).toMatchObject({ url, keys: false })
    expect(parseOptions({ proxy: { url: url.href, keys: true } }).proxy).toMatchObject({ url, keys: true })
  })

  test('each mock names itself differently to a proxy', () => {
    const vias = Array.from({ length: 8 }, () => parseOptions({ proxy: 'https://a.example' }).proxy?.via)
    expect(new Set(vias).size).toBe(8)
  })

  test.each<MockOptions>([
    { randomSeed: Number.MIN_SAFE_INTEGER },
    { randomSeed: Number.MAX_SAFE_INTEGER },
    { journalSize: 1 },
    { maxSandboxes: 1 },
    { quantity: { min: 7, max: 7 } },
    { quantity: { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER } },
  ])('takes the outermost, %j', (options) => {
    expect(() => parseOptions(options)).not.toThrow()
  })

  test.each<[object, string]>([
    [{ fixtures: 7 }, 'fixtures must be an object with fixtures by name, not by number, got 7 (number).'],
    [{ fixtures: new Map([['a', 'empty']]) }, 'fixtures must be an object with fixtures by name'],
    [{ fixtures: Object.create({ a: 'empty' }) }, 'fixtures must be an object with fixtures by name'],
    [{ fixtures: { a: 'empty', 2026: 'empty' } }, 'fixtures must be an object with'],
    [{ fixtures: { constructor: 'empty' } }, 'fixtures must be an object with'],
    [{ fixtures: JSON.parse('{"__proto__":"empty"}') }, 'fixtures must be an object with'],
    [{ fixtures: { mine: 7 } }, 'fixtures.mine must be a shipped fixture'],
    [{ apiKeys: ['own-secret'], anyKey: true }, 'anyKey and apiKeys cannot be combined.'],
    [{ apiKeys: {} }, 'apiKeys must be an array of strings, got a value of type object.'],
    [{ fixture: 5 }, 'fixture must be a shipped fixture'],
    [{ handlers: [() => {}] }, 'handlers[0] must be an msw request handler'],
    [{ delay: -1 }, 'delay must be '],
    [{ sunset: '2027-13-01' }, 'sunset must be a date, got "2027-13-01" (string).'],
    [{ proxy: 'https://a.example/v1' }, 'proxy has the base path /v1, which the requests have, too. Leave it out.'],
    [{ proxy: 'xhttp://a.example' as never }, 'proxy must be an http address'],
    [{ proxy: 'http-x://a.example' as never }, 'proxy must be an http address'],
    [{ proxy: 5 as never }, 'proxy must be an object with url, keys, origins, got 5 (number).'],
    [{ proxy: { url: 5 as never } }, 'proxy.url must be an http address without a query'],
    [
      { proxy: 'http:\nu:PW@x' as never },
      'proxy must be an http address without a query, user or password, got a value of type string',
    ],
    [{ sunset: 0 }, 'sunset must be a date, got 0 (number).'],
    [{ sunset: new Date('soon') }, 'sunset must be a date'],
    [{ quantity: { min: '1' } }, 'quantity.min must be a safe integer, got "1" (string).'],
    [{ profile: { malformedPetID: 404 } as never }, 'profile.malformedPetID is'],
    [{ profile: { challenge: 'sent' as never } }, 'profile.challenge must be one of send, omit'],
    [{ profile: { codes: { 409: 'conflict' } as never } }, 'profile.codes.409 is'],
    [{ profile: { quantity: { min: 2, max: 1 } } }, 'profile.quantity has a min of 2 above its max of 1.'],
    [{ quantity: { min: 8 }, profile: { quantity: { max: 7 } } }, 'quantity has a min of 8 above the max of 7: one'],
    [{ journalSize: 0 }, 'journalSize must be an integer of 1 or more, got 0 (number).'],
    [{ maxSandboxes: 0 }, 'maxSandboxes must be an integer of 1 or more, got 0 (number).'],
  ])('refuses %j', (options, message) => {
    const text = expect.stringContaining(`Failed to create the mock: ${message}`)
    expect(() => parseOptions(options)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION', message: text }))
  })
})
