import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assertSandboxName, createAuthenticator, isSandboxName } from '../../src/auth/authenticator.ts'

const key = fc.stringMatching(/^[A-Za-z0-9\-._+/]{1,20}$/)
const sandbox = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/)

describe('an authenticator', () => {
  test('opens the default sandbox for a key, and the named one for key~name', () => {
    fc.assert(
      fc.property(key, sandbox, (apiKey, name) => {
        const authenticator = createAuthenticator([apiKey], false)
        expect(authenticator.authenticate(`Bearer ${apiKey}`)).toEqual({ kind: 'valid', sandbox: 'default' })
        expect(authenticator.authenticate(`Bearer ${apiKey}~${name}`)).toEqual({ kind: 'valid', sandbox: name })
        expect(authenticator.authenticate(`Bearer ${authenticator.toApiKey(name)}`)).toEqual({
          kind: 'valid',
          sandbox: name,
        })
      }),
    )
  })

  test('says of an empty key where it may come from', () => {
    expect(() => createAuthenticator([''], false)).toThrow(
      'is empty. Is it read from an environment variable that is not set?',
    )
  })

  test('says that Bearer is no part of a key, and shows no key', () => {
    expect(() => createAuthenticator(['Bearer own-secret'], false)).toThrow(
      / begins with Bearer\. Leave that word out\.$/,
    )
  })

  test('knows no other key', () => {
    fc.assert(
      fc.property(fc.uniqueArray(key, { minLength: 2, maxLength: 2 }), ([own = '', other = '']) => {
        expect(createAuthenticator([own], false).authenticate(`Bearer ${other}`)).toEqual({ kind: 'invalid' })
      }),
    )
  })

  test('never throws, whatever the header says', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(createAuthenticator(['demo-key'], true).authenticate(header).kind).toMatch(/^(valid|missing|invalid)$/)
      }),
    )
  })

  test('takes any key where any will do, but no malformed one', () => {
    const authenticator = createAuthenticator(['demo-key'], true)
    expect(authenticator.authenticate('Bearer whatever')).toEqual({ kind: 'valid', sandbox: 'default' })
    expect(authenticator.authenticate('Bearer whatever~a')).toEqual({ kind: 'valid', sandbox: 'a' })
    expect(authenticator.authenticate('Bearer ~a')).toEqual({ kind: 'invalid' })
    expect(authenticator.authenticate('Bearer what ever')).toEqual({ kind: 'invalid' })
    expect(authenticator.authenticate('Bearer')).toEqual({ kind: 'missing' })
  })

  test('a padded key works, and another one carries the sandbox names', () => {
    const authenticator = createAuthenticator(['c2VjcmV0=', 'plain'], false)
    expect(authenticator.authenticate('Bearer c2VjcmV0=')).toEqual({ kind: 'valid', sandbox: 'default' })
    expect(authenticator.toApiKey('a')).toBe('plain~a')
    expect(() => createAuthenticator(['c2VjcmV0='], false).toApiKey('a')).toThrow('every API key ends with =')
  })

  test.each(['pad==', 'pad=', 'pad==~a'])(
    'the key %s is not added to a named sandbox, whose name cannot follow it',
    (key) => {
      const authenticator = createAuthenticator(['demo-key'], false)
      expect(() => authenticator.toSandboxKeys('a').add(key)).toThrow(
        expect.objectContaining({
          code: 'INVALID_OPTION',
          message:
            'Failed to add an API key: the key ends with =, so the name of the sandbox cannot follow it. Add a key without padding.',
        }),
      )
      createAuthenticator(['demo-key', 'pad=='], false).toSandboxKeys('a').revoke('pad==')
      authenticator.toSandboxKeys('default').add('pad==')
      expect(authenticator.authenticate('Bearer pad==')).toEqual({ kind: 'valid', sandbox: 'default' })
    },
  )

  test.each(['a~b', '', 'a b', '=', 'ä', 'a=b'])('the key %j is refused at the start', (bad) => {
    expect(() => createAuthenticator([bad], false)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
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

  test('the keys of a sandbox are 100 changed ones at most, of 256 characters each', () => {
    const keys = createAuthenticator([], true).toSandboxKeys('a')
    keys.add('k'.repeat(256))
    expect(() => keys.add('k'.repeat(257))).toThrow('Failed to add an API key: the key is longer than 256 characters.')
    for (let count = 1; count < 100; count += 1) keys.revoke(`key-${count}`)
    expect(() => keys.revoke('one-more')).toThrow(
      'Failed to revoke an API key: the sandbox already has 100 changed keys, the maximum.',
    )
    expect(() => keys.add('key-1')).not.toThrow()
  })

  test('the keys of all sandboxes are 100,000 changed ones at most, and a reset makes room', () => {
    const authenticator = createAuthenticator(['demo-key'], false)
    const fill = (sandbox: string, keys: number) => {
      const { add } = authenticator.toSandboxKeys(sandbox)
      for (let count = 0; count < keys; count += 1) add(`key-${count}`)
    }
    const full = /^Failed to add an API key: all sandboxes together already have 100000 changed keys/
    for (let count = 0; count < 999; count += 1) fill(`sandbox-${count}`, 100)
    fill('half', 50)
    expect(() => fill('other-half', 51)).toThrow(full)
    expect(authenticator.toSandboxKeys('other-half').isValid('key-49')).toBe(true)
    expect(() => fill('half', 50)).not.toThrow()
    authenticator.toSandboxKeys('sandbox-7').reset()
    authenticator.toSandboxKeys('untouched').reset()
    fill('one-more', 100)
    expect(() => fill('another', 1)).toThrow(full)
  })

  test('a sandbox knows its valid keys, and its own ones where any key is valid', () => {
    const { add, revoke, isValid, isOwn } = createAuthenticator(['demo-key'], true).toSandboxKeys('a')
    add('added')
    revoke('demo-key')
    const keys = ['demo-key', 'added', 'other']
    expect([keys.map(isValid), keys.map(isOwn)]).toEqual([
      [false, true, true],
      [false, true, false],
    ])
  })

  test('a change of a key counts at once, also for a client that has just asked', () => {
    const keys = createAuthenticator(['demo-key'], false)
    const own = keys.toSandboxKeys('a')
    const ask = () => keys.authenticate('Bearer demo-key~a')
    expect(ask()).toEqual({ kind: 'valid', sandbox: 'a' })
    own.revoke('demo-key~a')
    expect(ask()).toEqual({ kind: 'invalid', sandbox: 'a' })
    own.add('demo-key')
    expect(ask()).toEqual({ kind: 'valid', sandbox: 'a' })
    own.revoke('demo-key')
    expect([ask().kind, keys.authenticate('Bearer demo-key').kind]).toEqual(['invalid', 'valid'])
    own.reset()
    expect(ask()).toEqual({ kind: 'valid', sandbox: 'a' })
  })

  test.each([[5], ['a b']])('%j is refused as a key of a sandbox', (key) => {
    const keys = createAuthenticator(['demo-key'], false).toSandboxKeys('a')
    expect(() => keys.add(key as string)).toThrow(
      /^Failed to add an API key: the key \((number|\d characters)\) is invalid/,
    )
  })

  test('the first key opens the default sandbox, and demo-key where there is none', () => {
    expect(createAuthenticator(['first', 'second'], false).toApiKey('default')).toBe('first')
    expect(createAuthenticator([], true).toApiKey('default')).toBe('demo-key')
    expect(createAuthenticator(['first', 'second'], false).toApiKey('a')).toBe('first~a')
  })

  test('a sandbox that no key can carry is refused by name', () => {
    expect(() => createAuthenticator(['padded='], false).toApiKey('a')).toThrow(
      expect.objectContaining({
        code: 'INVALID_SANDBOX',
        message: expect.stringContaining('the sandbox a: every API key ends with =. Add a key without padding.'),
      }),
    )
  })

  test.each<[unknown[], string]>([
    [['good', 'a~b'], 'API key 2 (3 characters) is invalid'],
    [['a b'], 'API key 1 (3 characters) is invalid'],
    [[5], 'API key 1 (number) is invalid'],
    [[['key']], 'API key 1 (object) is invalid'],
  ])('%j is refused by its place, and not repeated', (keys, message) => {
    expect(() => createAuthenticator(keys as string[], false)).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTION',
        message: expect.stringContaining(`Failed to create the mock: ${message}`),
      }),
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
    [{ toString: () => 'a' }, '{"toString":function}'],
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
