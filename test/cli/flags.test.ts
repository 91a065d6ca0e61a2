import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type CommandName, OPTIONS, toCamelCase } from '../../src/cli/options.ts'
import { readFlags } from '../../src/cli/read-flags.ts'
import { makeFiles } from './state-folder.ts'

const { folder, write } = await makeFiles()

type Flags = Readonly<Record<string, unknown>>

/** A flag that nothing reads would be accepted and have no effect. */
test('every flag is read', () => {
  const folder = new URL('../../src/cli/', import.meta.url)
  const files = globSync('{commands,serve}/*.ts', { cwd: folder })
  const code = files.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n')
  // `flags.port`, `const { port } = flags`, `{ flags: { port } }`, `({ port }: ServerFlags)` and `async run({ port }, io)`.
  const reads = code.matchAll(
    /\bflags\.(\w+)|\{([^{}]*)\}(?= = flags\b|: (?:\w*Flags\b|\{ flags: \w)|, io\))|flags: \{([^{}]*)\}/g,
  )
  const read = new Set(Array.from(reads, ([, ...texts]) => texts.join().match(/\w+/g) ?? []).flat())
  expect(OPTIONS.map(({ name }) => toCamelCase(name)).filter((name) => name !== 'config' && !read.has(name))).toEqual(
    [],
  )
})

/** The flags of `serve` from the environment. */
function readEnv(env: Readonly<Record<string, string>>): Promise<Flags> {
  return readFlags('serve', { given: {}, env })
}

/** Reads flags from a config file with this content. */
async function readConfig(content: string): Promise<Flags> {
  return readFlags('serve', { given: { config: await write('config.json', content) }, env: {} })
}

describe('the flags of a command', () => {
  test('are those of the command line, else of the environment, else of the config file, else the defaults', async () => {
    const config = await write('own.json', '{"port":1,"host":"c","fixture":"c","api-key":["c"],"quantity-min":3}')
    const env = {
      PETSTORE_MOCK_PORT: '2',
      PETSTORE_MOCK_HOST: 'b',
      PETSTORE_MOCK_API_KEY: 'b,c',
      PETSTORE_MOCK_CONFIG: config,
    }
    expect(await readFlags('serve', { given: { port: '3' }, env })).toMatchObject({
      port: 3,
      host: 'b',
      apiKey: ['b', 'c'],
      fixture: 'c',
      quantityMin: 3,
      quantityMax: undefined,
      log: 'pretty',
    })
  })

  test.each<[Flags, Record<string, string>, string, Flags]>([
    [{ pets: '3' }, { PETSTORE_MOCK_FIXTURE: 'empty' }, '{}', { pets: 3, fixture: 'default' }],
    [{ pets: '0' }, {}, '{"fixture":"empty"}', { pets: 0, fixture: 'default' }],
    [{}, { PETSTORE_MOCK_FIXTURE: 'empty' }, '{"pets":3}', { pets: undefined, fixture: 'empty' }],
    [{ 'any-key': true }, { PETSTORE_MOCK_API_KEY: 'b' }, '{}', { anyKey: true, apiKey: ['demo-key'] }],
    [{ 'any-key': false }, { PETSTORE_MOCK_API_KEY: 'b' }, '{}', { anyKey: false, apiKey: ['b'] }],
  ])('%j wins over %j, and that over %s, one by one', async (given, env, config, expected) => {
    const file = await write('weaker.json', config)
    expect(await readFlags('serve', { given: { ...given, config: file }, env })).toMatchObject(expected)
  })

  test.each<Record<string, string>>([
    // Of another command, of a file to write, or set by `petstore-mock exec`.
    { PETSTORE_MOCK_PETS: '5', PETSTORE_MOCK_ANY_KEY: 'true', PETSTORE_MOCK_CONFIG: 'nope.json' },
    { PETSTORE_MOCK_URL: 'http://127.0.0.1:1/v1', OWN_PETSTORE_MOCK_PORT: 'x' },
    { PETSTORE_MOCK: '1', PETSTORE_MOCKING: '1', PETSTORE_URL: 'x' },
    // From a Kubernetes Service named petstore-mock.
    { PETSTORE_MOCK_PORT: 'tcp://10.0.0.1:4100', PETSTORE_MOCK_SERVICE_PORT_HTTP: '4100' },
    { PETSTORE_MOCK_PORT_4100_TCP: 'tcp://10.0.0.1:4100', PETSTORE_MOCK_PORT_4100_TCP_ADDR: '10.0.0.1' },
  ])('are not in %j', async (env) => {
    expect(await readFlags('completion', { given: {}, env })).toEqual({})
    const { PETSTORE_MOCK_CONFIG: _, ...others } = env
    expect(await readEnv(others)).toMatchObject({ port: 4100 })
  })

  test('of check have no profile of the environment, which is meant for serve', async () => {
    const env = { PETSTORE_MOCK_PROFILE: 'p.json' }
    expect(await readEnv(env)).toMatchObject({ profile: 'p.json' })
    expect(await readFlags('check', { given: {}, env })).toMatchObject({ profile: undefined })
  })

  test.each<[Record<string, string>, string]>([
    [{ PETSTORE_MOCK_PORT: 'x' }, 'PETSTORE_MOCK_PORT must be a whole number'],
    [{ PETSTORE_MOCK_WATCH: 'yes' }, 'PETSTORE_MOCK_WATCH must be true or false'],
    [{ PETSTORE_MOCK_LOG: 'loud' }, 'PETSTORE_MOCK_LOG must be one of pretty, json, silent'],
    ...['PETSTORE_MOCK_PROT', 'PETSTOREMOCK_PORT', 'petstore_mock_port'].map(
      (name): [Record<string, string>, string] => [
        { [name]: '1' },
        `${name} in the environment is not known. Did you mean PETSTORE_MOCK_PORT?`,
      ],
    ),
    [{ PETSTORE_MOCK_REPORTER: 'junit=x' }, 'PETSTORE_MOCK_REPORTER in the environment is not known.'],
    [{ PETSTORE_MOCK_CONFIG: 'nope.json' }, '--config: nope.json cannot be read (ENOENT: '],
  ])('of the environment: %j is refused by name', async (env, message) => {
    await expect(readEnv(env)).rejects.toThrow(message)
  })

  test.each([
    ['{"prot":1}', 'prot is not known. Did you mean port?'],
    ['{"$schema":"./config.schema.json","port":"x"}', 'port must be a whole number'],
    ['{"port":{"toString":1}}', 'port must be a string or a number.'],
    ['{"fixture":["a","b"]}', 'fixture is given 2 times. Pass it once.'],
    ['{"fixture":[]}', 'fixture needs a value.'],
    ['{"random-seed":9007199254740993}', 'random-seed must be a whole number from -9007199254740991'],
    ['{"__proto__":{"port":1}}', '__proto__ is not known.'],
    [`{"fixture":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'is not JSON (nested more than 1000 levels deep)'],
    ['[]', 'must contain a JSON object with flags as properties.'],
  ])('of a config file: %s is refused, naming the file', async (content, message) => {
    const refused = expect.objectContaining({ message: expect.stringContaining(message) })
    await expect(readConfig(content)).rejects.toThrow(refused)
    await expect(readConfig(content)).rejects.toThrow(join(folder, 'config.json'))
  })

  test.each([
    ['{"api-key":SECRET}', 'is not JSON'],
    ['{"api-key":["a",["SECRET"]]}', 'api-key must be a string or a number'],
  ])('of a config file: %s is refused without repeating the key', async (content, message) => {
    const error = await readConfig(content).catch((cause: Error) => cause)
    expect(error).toMatchObject({ message: expect.stringContaining(message) })
    expect((error as Error).message).not.toContain('SECRET')
  })

  test.each<[CommandName, string, string, unknown]>([
    ['serve', 'port', '-0', 0],
    ['serve', 'port', '65536', 'must be a whole number from 0 to 65535, got "65536" (string).'],
    ['serve', 'port', '1e3', 'must be a whole number'],
    ['serve', 'pets', '1.5', 'must be a whole number from 0 to 2000000'],
    ['serve', 'delay', '100-300', '100-300'],
    ['serve', 'delay', '[100, 300]', 'must be milliseconds up to a day, such as 200 or 100-300, got "[100, 300]"'],
    ['serve', 'sunset', '2027-13-01', 'must be a date, got "2027-13-01"'],
    ['serve', 'base-url', 'https://a.example/v1?x=1', 'must be an http address'],
  ])('of %s: --%s %s is %j', async (command, name, value, expected) => {
    const read = readFlags(command, { given: { [name]: value }, env: {} })
    if (typeof expected === 'string' && expected !== value) await expect(read).rejects.toThrow(`--${name} ${expected}`)
    else expect((await read)[toCamelCase(name)]).toBe(expected)
  })
})
