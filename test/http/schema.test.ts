import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { mustSecretly, object, oneOf, oneOrMany, parseWith, read, string, whole } from '../../src/http/schema.ts'

interface Options {
  readonly port?: number
  readonly host?: string
  readonly log?: 'pretty' | 'json'
  readonly token?: string
  readonly tls?: { readonly cert: string }
  readonly names?: string | readonly string[]
}

const OPTIONS = object<Options>({
  port: v.optional(whole(0, 65_535)),
  host: v.optional(string),
  log: v.optional(oneOf(['pretty', 'json'])),
  token: v.optional(v.string(mustSecretly('a string'))),
  tls: v.optional(object<{ readonly cert: string }>({ cert: string })),
  names: v.optional(oneOrMany(string)),
})

const parse = (value: unknown): Options => parseWith(OPTIONS, value, { failure: 'Failed to start' })

describe('a schema', () => {
  test.each([[{}], [{ port: 0, host: 'a' }], [{ port: undefined }], [{ names: 'a' }], [{ names: ['a', 'b'] }]])(
    '%j is taken as it is',
    (value) => {
      expect(parse(value)).toEqual(value)
    },
  )

  test.each([
    [null, 'the options must be an object with port, host, log, token, tls, names, got null.'],
    [[], 'the options must be an object with port, host, log, token, tls, names, got [] (array).'],
    ['port', 'the options must be an object with port, host, log, token, tls, names, got "port" (string).'],
    [{ port: 'x' }, 'port must be a whole number from 0 to 65535, got "x" (string).'],
    [{ port: 1.5 }, 'port must be a whole number from 0 to 65535, got 1.5 (number).'],
    [{ port: 65_536 }, 'port must be a whole number from 0 to 65535, got 65536 (number).'],
    [{ log: 5 }, 'log must be one of pretty, json, got 5 (number).'],
    [{ log: 'xml' }, 'log must be one of pretty, json, got "xml" (string).'],
    [{ names: ['a', 5] }, 'names[1] must be a string, got 5 (number).'],
    [{ names: 5 }, 'names must be a string, got 5 (number).'],
    [{ tls: {} }, 'tls.cert is required.'],
    [{ tls: [] }, 'tls must be an object with cert, got [] (array).'],
    [{ tls: { cert: 'a', kee: 'b' } }, 'tls.kee is not known. Known: cert.'],
    [{ prot: 1 }, 'prot is not known. Did you mean port? Known: port, host, log, token, tls, names.'],
  ])('%j is refused', (value, sentence) => {
    expect(() => parse(value)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', message: `Failed to start: ${sentence}` }),
    )
  })

  test('a misspelt name is named before a value that is wrong, or missing for that reason', () => {
    expect(() => parse({ port: 'x', hots: 'a' })).toThrow('Failed to start: hots is not known. Did you mean host?')
    expect(() => parse({ tls: { cret: 'a' } })).toThrow('Failed to start: tls.cret is not known. Did you mean cert?')
  })

  test.each(['__proto__', 'constructor', 'toString'])('%s is no known name', (name) => {
    expect(() => parse(JSON.parse(`{"${name}":1}`))).toThrow(`Failed to start: ${name} is not known.`)
  })

  test.each([
    ['a promise', Promise.resolve({}), 'got {} (Promise).'],
    ['a map', new Map([['host', 'a']]), 'got {} (Map).'],
    ['an object that only inherits', Object.create({ host: 'a' }), 'got {} (Object).'],
  ])('%s is no object without properties', (_, value, shown) => {
    expect(() => parse(value)).toThrow(shown)
  })

  test('an object of a class is taken by its own properties', () => {
    class Settings {
      host = 'a'
    }
    expect(parse(new Settings())).toMatchObject({ host: 'a' })
  })

  test('every problem is found once, those of unknown names first', () => {
    const paths = (value: unknown) => read(OPTIONS, value).problems?.map(({ path }) => path)
    expect(paths({ port: 'x', hots: 'a', log: 5, prot: 1 })).toEqual(['hots', 'prot', 'port', 'log'])
    const many = Object.fromEntries(Array.from({ length: 102 }, (_, index) => [`x${index}`, 1]))
    expect(paths(many)).toHaveLength(101)
  })

  test('a long name is cut, and a secret is not shown', () => {
    expect(() => parse({ ['x'.repeat(100)]: 1 })).toThrow(`Failed to start: ${'x'.repeat(40)}… is not known.`)
    expect(() => parse({ token: ['secret'] })).toThrow('Failed to start: token must be a string, got an array.')
  })
})
