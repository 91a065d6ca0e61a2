import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assertSandboxName, createAuthenticator, isSandboxName } from '../../src/auth/authenticator.ts'

const key = fc.stringMatching(/^[A-Za-z0-9\-._+/]{1,20}$/)
const sandbox = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/)

describe('an authenticator', () => {
  test('opens the default sandbox for its key, the named one for key~name, and none for another key', () => {
    fc.assert(
      fc.property(fc.uniqueArray(key, { minLength: 2, maxLength: 2 }), sandbox, ([own = '', other = ''], name) => {
        const { authenticate, toApiKey } = createAuthenticator([own], false)
        expect(authenticate(`Bearer ${own}`)).toEqual({ kind: 'valid', sandbox: 'default' })
        expect(authenticate(`Bearer ${own}~${name}`)).toEqual({ kind: 'valid', sandbox: name })
        expect(toApiKey(name)).toBe(`${own}~${name}`)
        expect(authenticate(`Bearer ${other}`)).toMatchObject({ kind: 'invalid' })
      }),
    )
  })

  test('takes any key where any will do, but no malformed one', () => {
    const authenticator = createAuthenticator(['demo-key'], true)
    expect(authenticator.authenticate('Bearer whatever')).toEqual({ kind: 'valid', sandbox: 'default' })
    expect(authenticator.authenticate('Bearer whatever~a')).toEqual({ kind: 'valid', sandbox: 'a' })
    expect(authenticator.authenticate('Bearer ~a')).toEqual({ kind: 'invalid', sandbox: 'default' })
    expect(authenticator.authenticate('Bearer what ever')).toMatchObject({ kind: 'invalid' })
    expect(authenticator.authenticate('Bearer')).toEqual({ kind: 'missing', sandbox: 'default', problem: 'scheme' })
  })

  test('a padded key works, and another one carries the sandbox names', () => {
    const authenticator = createAuthenticator(['c2VjcmV0=', 'plain'], false)
    expect(authenticator.authenticate('Bearer c2VjcmV0=')).toEqual({ kind: 'valid', sandbox: 'default' })
    expect(authenticator.toApiKey('a')).toBe('plain~a')
    expect(() => createAuthenticator(['c2VjcmV0='], false).toApiKey('a')).toThrow(
      expect.objectContaining({
        code: 'INVALID_SANDBOX',
        message: expect.stringContaining('the sandbox a: every API key ends with =. Add a key without padding.'),
      }),
    )
  })

  test.each<[string | undefined, string]>([
    ['Bearer demo-key', 'valid'],
    ['bearer demo-key', 'valid'],
    ['BEARER   demo-key', 'valid'],
    ['Bearer demo-key~a.b', 'valid'],
    ['Bearer demo-key~', 'invalid'],
    ['Bearer demo-key~a~b', 'invalid'],
    ['Bearer demo-key~a b', 'invalid'],
    ['Bearer  ', 'missing'],
    ['Bearer', 'missing'],
    ['Bearerdemo-key', 'missing'],
    ['xBearer demo-key', 'missing'],
    ['Basic demo-key', 'missing'],
    ['', 'missing'],
    [undefined, 'missing'],
  ])('%s is %s', (header, kind) => {
    const keys = createAuthenticator(['demo-key'], false)
    expect(keys.authenticate(header).kind).toBe(kind)
    expect(keys.authenticate(header).kind).toBe(kind)
    expect(keys.authenticate('Bearer demo-key').kind).toBe('valid')
  })

  test.each<[authorization: string | undefined, baggage: string | undefined, problem: string | undefined]>([
    [undefined, undefined, 'missing'],
    ['Basic demo-key', undefined, 'scheme'],
    ['Bearer ', undefined, 'scheme'],
    ['Bearer demo-key~a b', undefined, 'sandbox'],
    ['Bearer demo-key~a~b', undefined, 'sandbox'],
    ['Bearer demo-key', 'petstore-mock-sandbox=a b', 'sandbox'],
    ['Bearer wrong~a', undefined, undefined],
    ['Bearer demo-key~a', 'petstore-mock-sandbox=a b', undefined],
  ])('%s with the baggage %s has the problem %s', (authorization, baggage, problem) => {
    expect(createAuthenticator(['demo-key'], false).authenticate(authorization, baggage).problem).toBe(problem)
  })

  test.each([true, false])('knows the keys that it was made with, anyKey: %s', (anyKey) => {
    const { isOwn } = createAuthenticator(['demo-key', 'second'], anyKey)
    expect(['demo-key', 'second', 'other', 'demo-key~a'].map(isOwn)).toEqual([true, true, false, false])
  })

  test.each<[baggage: string, authorization: string | undefined, result: object]>([
    ['petstore-mock-sandbox=a', 'Bearer demo-key', { kind: 'valid', sandbox: 'a' }],
    [
      'x=1, petstore-mock-sandbox = a.b%2D7 ; secret=1;ttl, y=2',
      'Bearer demo-key',
      { kind: 'valid', sandbox: 'a.b-7' },
    ],
    ['petstore-mock-sandbox=%zz,petstore-mock-sandbox=b,x', 'Bearer demo-key', { kind: 'valid', sandbox: 'b' }],
    ['petstore-mock-sandbox=a', 'Bearer demo-key~b', { kind: 'valid', sandbox: 'b' }],
    ['petstore-mock-sandbox=a', 'Bearer demo-key~default', { kind: 'valid', sandbox: 'default' }],
    ['petstore-mock-sandbox=a', 'Bearer wrong', { kind: 'invalid', sandbox: 'a' }],
    ['petstore-mock-sandbox=a', undefined, { kind: 'missing', sandbox: 'a' }],
    ['petstore-mock-sandbox=a b', 'Bearer demo-key~b', { kind: 'valid', sandbox: 'b' }],
    ...['', 'a b', 'a%20b', '%C3%A4', '"a"', 'a=b', 'n'.repeat(65)].map(
      (name) =>
        [`x=1,petstore-mock-sandbox=${name}`, 'Bearer demo-key', { kind: 'invalid' }] as [string, string, object],
    ),
    ...['petstore-mock-sandbox,Petstore-Mock-Sandbox=a', 'x=1;petstore-mock-sandbox=a,my-petstore-mock-sandbox=a'].map(
      (baggage) => [baggage, 'Bearer demo-key', { kind: 'valid', sandbox: 'default' }] as [string, string, object],
    ),
  ])('with the baggage %j, %s is %o', (baggage, authorization, result) => {
    const authenticator = createAuthenticator(['demo-key'], false)
    expect(authenticator.authenticate(authorization, baggage)).toMatchObject(result)
    expect(authenticator.authenticate('Bearer demo-key')).toEqual({ kind: 'valid', sandbox: 'default' })
  })

  test('the first key opens the default sandbox, and demo-key where there is none', () => {
    expect(createAuthenticator(['first', 'second'], false).toApiKey('default')).toBe('first')
    expect(createAuthenticator([], true).toApiKey('default')).toBe('demo-key')
    expect(createAuthenticator(['first', 'second'], false).toApiKey('a')).toBe('first~a')
  })

  test.each<[unknown, string]>([
    ['a~c', 'API key 2 (3 characters) is invalid'],
    ['a b', 'API key 2 (3 characters) is invalid'],
    ['=', 'API key 2 (1 characters) is invalid'],
    ['ä', 'API key 2 (1 characters) is invalid'],
    ['a=b', 'API key 2 (3 characters) is invalid'],
    [5, 'API key 2 (number) is invalid'],
    [['key'], 'API key 2 (object) is invalid'],
    ['', 'API key 2 is empty. Is it read from an environment variable that is not set?'],
    [undefined, 'API key 2 is empty. Is it read from an environment variable that is not set?'],
    ['Bearer own-secret', 'API key 2 begins with Bearer. Leave that word out.'],
    ['own bearer secret', 'API key 2 (17 characters) is invalid. Use letters, digits'],
  ])('%j is refused, and not repeated', (key, message) => {
    const reason = expect.stringContaining(`Failed to create the mock: ${message}`)
    expect(() => createAuthenticator(['good', key as string], false)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', message: reason }),
    )
  })
})

describe('a sandbox’s name', () => {
  test.each(['a', 'default', 'A-z_0.9', '.', '-', '__proto__', 'n'.repeat(64)])('%s', (name) => {
    expect(isSandboxName(name)).toBe(true)
    expect(() => assertSandboxName(name)).not.toThrow()
  })

  test.each<[unknown, string]>([
    ['', '""'],
    ['a b', '"a b"'],
    ['a~b', '"a~b"'],
    ['ä', '"ä"'],
    ['a\n', '"a\\n"'],
    ['n'.repeat(65), `"${'n'.repeat(39)}…`],
    [['a'], '["a"]'],
    [5, '5'],
    [undefined, 'undefined'],
    [{ toString: () => 'a' }, '{"toString":"function"}'],
  ])('%o is none', (name, shown) => {
    expect(isSandboxName(name)).toBe(false)
    expect(() => assertSandboxName(name)).toThrow(
      expect.objectContaining({
        code: 'INVALID_SANDBOX',
        message: `Failed to open a sandbox: ${shown} is not a valid name. Use 1 to 64 letters, digits, dots, underscores and hyphens.`,
      }),
    )
  })
})
