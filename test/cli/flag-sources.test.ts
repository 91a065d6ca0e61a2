import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCliIn, startServe, startServeIn } from './run-cli.ts'
import { makeSharedFolder } from './state-folder.ts'

const folder = await makeSharedFolder()

async function writeConfig(content: string): Promise<string> {
  const file = join(folder, 'config.json')
  await writeFile(file, content)
  return file
}

describe('flags from the environment', () => {
  test('a variable of another command is ignored', async () => {
    const env = { PETSTORE_MOCK_PORT: '4100', PETSTORE_MOCK_ANY_KEY: 'true', PETSTORE_MOCK_CONFIG: 'nope.json' }
    expect((await runCliIn(env, 'fixture', 'generate', '--pets', '1')).code).toBe(0)
  })

  test('what petstore-mock exec sets for its command is no flag, and no fault', async () => {
    const env = { PETSTORE_MOCK_URL: 'http://127.0.0.1:1/v1' }
    expect((await runCliIn(env, 'fixture', 'generate', '--pets', '1')).code).toBe(0)
  })

  test.each<Record<string, string>>([
    { PETSTORE_MOCK_PORT: 'tcp://10.0.0.1:4100' },
    { PETSTORE_MOCK_PORT: 'udp://10.0.0.1:4100' },
    {
      PETSTORE_MOCK_SERVICE_HOST: '10.0.0.1',
      PETSTORE_MOCK_SERVICE_PORT: '4100',
      PETSTORE_MOCK_SERVICE_PORT_HTTP: '4100',
    },
    {
      PETSTORE_MOCK_PORT_4100_TCP: 'tcp://10.0.0.1:4100',
      PETSTORE_MOCK_PORT_4100_TCP_ADDR: '10.0.0.1',
      PETSTORE_MOCK_PORT_4100_TCP_PORT: '4100',
      PETSTORE_MOCK_PORT_4100_TCP_PROTO: 'tcp',
    },
  ])('%j, from a Kubernetes Service named petstore-mock, is ignored', async (env) => {
    const { code, err } = await runCliIn(env, 'serve', '--watch')
    expect([code, err]).toEqual([
      2,
      'petstore-mock: --watch needs a fixture file or stubs. Pass one with --fixture or --stubs.',
    ])
  })

  test('a variable that only begins alike is ignored', async () => {
    const env = { PETSTORE_MOCK: '1', PETSTORE_MOCKING: '1', PETSTORE_URL: 'x' }
    expect((await runCliIn(env, 'fixture', 'generate', '--pets', '1')).code).toBe(0)
  })

  test('help is shown whatever the environment says', async () => {
    expect((await runCliIn({ PETSTORE_MOCK_PORT: 'x', PETSTORE_MOCK_PROT: '1' }, '--help')).code).toBe(0)
  })

  test.each<[Record<string, string>, string]>([
    [{ PETSTORE_MOCK_PORT: 'x' }, 'PETSTORE_MOCK_PORT must be a whole number from 0 to 65535, got "x" (string).'],
    [
      { PETSTORE_MOCK_PROT: '1' },
      'PETSTORE_MOCK_PROT in the environment is not known. Did you mean PETSTORE_MOCK_PORT?',
    ],
    [{ PETSTOREMOCK_PORT: '1' }, 'PETSTOREMOCK_PORT in the environment is not known. Did you mean PETSTORE_MOCK_PORT?'],
    [
      { petstore_mock_port: '1' },
      'petstore_mock_port in the environment is not known. Did you mean PETSTORE_MOCK_PORT?',
    ],
    [{ PETSTORE_MOCK_WATCH: 'yes' }, 'PETSTORE_MOCK_WATCH must be true or false, got "yes" (string).'],
    [{ PETSTORE_MOCK_RECORD: 'x' }, 'PETSTORE_MOCK_RECORD in the environment is not known.'],
    [{ PETSTORE_MOCK_FORCE: '1' }, 'PETSTORE_MOCK_FORCE in the environment is not known.'],
    [{ PETSTORE_MOCK_LOG: 'loud' }, 'PETSTORE_MOCK_LOG must be one of pretty, json, silent, got "loud" (string).'],
  ])('%j is refused by name', async (env, message) => {
    expect(await runCliIn(env)).toEqual({ code: 2, out: '', err: `petstore-mock: ${message}` })
  })
})

test.each(['PETSTORE_MOCK_KEY', 'PETSTORE_MOCK_API_KEY'])('%s is the key of serve', async (variable) => {
  const { url } = await startServeIn({ [variable]: 'shop-key' })
  const headers = { authorization: 'Bearer shop-key' }
  expect((await fetch(`${url}/inventory`, { headers })).status).toBe(200)
})

describe('flags from a config file', () => {
  test('a file that is not there is refused by its path', async () => {
    const { code, err } = await runCliIn({ PETSTORE_MOCK_CONFIG: 'nope.json' })
    expect([code, err]).toEqual([2, expect.stringMatching(/--config: .*nope\.json cannot be read \(ENOENT: /)])
  })

  test.each([
    ['{"prot":1}', 'prot is not known. Did you mean port?'],
    ['{"$schema":"./config.schema.json","port":"x"}', 'port must be a whole number from 0 to 65535, got "x" (string).'],
    ['{"quantityMin":0.5}', 'quantityMin must be a whole number'],
    ['{"watch":"yes"}', 'watch must be true or false, got "yes" (string).'],
    ['{"log":"loud"}', 'log must be one of pretty, json, silent, got "loud" (string).'],
    ['{"port":{"toString":1}}', 'port must be a string or a number.'],
    ['{"api-key":[{"toString":1}]}', 'api-key must be a string or a number.'],
    ['{"fixture":null}', 'fixture must be a string or a number.'],
    ['{"fixture":["a","b"]}', 'fixture is given 2 times. Pass it once.'],
    ['{"fixture":[]}', 'fixture needs a value.'],
    ['{"apikey":"a"}', 'apikey is not known. Did you mean api-key?'],
    ['{"api-key":"a","apiKey":"b"}', 'api-key is given twice. Keep one.'],
    ['{"delay":[100,300]}', 'delay is given 2 times. Pass it once.'],
    ['{"random-seed":9007199254740993}', 'random-seed must be a whole number from -9007199254740991'],
    ['{"__proto__":{"port":1}}', '__proto__ is not known.'],
    [`{"fixture":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'is not JSON (nested more than 1000 levels deep)'],
    ['[]', 'must contain a JSON object with flags as properties.'],
    ['{', 'is not JSON'],
  ])('%s is refused, naming the file', async (content, message) => {
    const file = await writeConfig(content)
    const { code, err } = await runCliIn({}, '--config', file)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
    expect(err).toContain(file)
  })
})

test.each([
  ['{"api-key":SECRET}', 'is not JSON'],
  ['{"api-key":["a","SECRET",]', 'is not JSON'],
  ['{"api-key":"SECRET', 'is not JSON'],
  ['{"api-key":{"key":"SECRET"}}', 'api-key must be a string or a number'],
  ['{"api-key":["a",["SECRET"]]}', 'api-key must be a string or a number'],
  ['{"control-token":["SECRET",null]}', 'control-token must be a string or a number'],
  ['{"controlToken":{"token":"SECRET"}}', 'controlToken must be a string or a number'],
])('a config file with %s is refused without repeating the key', async (content, message) => {
  const file = await writeConfig(content)
  const { code, err } = await runCliIn({}, '--config', file)
  expect([code, err]).toEqual([2, expect.stringContaining(message)])
  expect(err).not.toContain('SECRET')
})

describe('a value on the command line', () => {
  test.each([
    [['--port', '0x10'], '--port must be a whole number'],
    [['--pets', '9223372036854775807'], '--pets must be a whole number from 0 to 10000000'],
    [['--random-seed', '9007199254740993'], '--random-seed must be a whole number from -9007199254740991'],
    [['--delay', '1e2'], '--delay must be milliseconds'],
    [['--delay', '[100, 300]'], '--delay must be milliseconds up to a day, such as 200 or 100-300, got "[100, 300]"'],
    [['--sunset', '2027-13-01'], '--sunset must be a date, got "2027-13-01"'],
    [['--base-url', 'https://a.example/v1?x=1'], '--base-url must have no query and no fragment, got '],
    [['--api-key.toString', '5'], 'Unknown flag --api-key.toString for serve.'],
  ])('%j is refused', async (argv, message) => {
    const { code, out, err } = await runCliIn({}, ...argv)
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(message)])
  })

  test.each(['1e3', '007', '0x10', '1.0', '9007199254740993', '-0', 'true'])(
    'a key of %s stays that text',
    async (key) => {
      const { url } = await startServe('--api-key', key)
      const ask = (token: string): Promise<Response> =>
        fetch(`${url}/inventory`, { headers: { authorization: `Bearer ${token}` } })
      expect([(await ask(key)).status, (await ask(String(Number(key)))).status]).toEqual([200, 401])
    },
  )
})
