import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runCliIn } from './run-cli.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  return () => rm(folder, { recursive: true })
})

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

  test('help is shown whatever the environment says', async () => {
    expect((await runCliIn({ PETSTORE_MOCK_PORT: 'x', PETSTORE_MOCK_PROT: '1' }, '--help')).code).toBe(0)
  })

  test.each<[Record<string, string>, string]>([
    [{ PETSTORE_MOCK_PORT: 'x' }, 'PETSTORE_MOCK_PORT must be a whole number from 0 to 65535, got "x".'],
    [
      { PETSTORE_MOCK_PROT: '1' },
      'PETSTORE_MOCK_PROT in the environment is not known. Did you mean PETSTORE_MOCK_PORT?',
    ],
    [{ PETSTORE_MOCK_WATCH: 'yes' }, 'PETSTORE_MOCK_WATCH must be true or false, got "yes" (string).'],
    [{ PETSTORE_MOCK_LOG: 'loud' }, 'PETSTORE_MOCK_LOG must be one of pretty, json, silent, got "loud" (string).'],
  ])('%j is refused by name', async (env, message) => {
    expect(await runCliIn(env)).toEqual({ code: 2, out: '', err: `petstore-mock: ${message}` })
  })
})

describe('flags from a config file', () => {
  test('a file that is not there is refused by its path', async () => {
    const { code, err } = await runCliIn({ PETSTORE_MOCK_CONFIG: 'nope.json' })
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/--config: .*nope\.json cannot be read \(there is no such file\)/),
    ])
  })

  test.each([
    ['{"prot":1}', 'prot is not known. Did you mean port?'],
    ['{"port":"x"}', 'port must be a whole number from 0 to 65535, got "x".'],
    ['{"quantityMin":0.5}', 'quantityMin must be a whole number'],
    ['{"watch":"yes"}', 'watch must be true or false, got "yes" (string).'],
    ['{"log":"loud"}', 'log must be one of pretty, json, silent, got "loud" (string).'],
    ['[]', 'must hold a JSON object with flags as properties.'],
    ['{', 'is not JSON'],
  ])('%s is refused, naming the file', async (content, message) => {
    const file = await writeConfig(content)
    const { code, err } = await runCliIn({}, '--config', file)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
    expect(err).toContain(file)
  })
})
