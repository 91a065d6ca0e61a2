import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Fidelity } from '../../src/check/record.ts'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { serveOther } from '../check/other-service.ts'
import { runCli } from './run-cli.ts'
import { makeSharedFolder } from './state-folder.ts'

const folder = await makeSharedFolder()

describe('petstore-mock check --record', () => {
  const read = async (file: string): Promise<Fidelity> => JSON.parse(await readFile(file, 'utf8')) as Fidelity

  test('writes which rules the service was seen to follow', async () => {
    await using server = await serve(createMock({ apiKeys: ['own-secret'] }))
    const file = join(folder, 'fidelity.json')
    const { code, err } = await runCli('check', server.url, '-k', 'own-secret', '--record', file)
    expect([code, err]).toEqual([0, ''])
    const { rules } = await read(file)
    expect(rules.find(({ rule }) => rule === 'a valid key is 200')).toEqual({
      operation: 'listInventory',
      rule: 'a valid key is 200',
      basis: 'specified',
      seen: { url: `${server.url}/v1`, date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), verdict: 'same' },
    })
    expect(rules.find(({ rule }) => rule === 'petId abc is 400')).not.toHaveProperty('seen')
    expect(await readFile(file, 'utf8')).not.toContain('own-secret')
  })

  test('a comparison records what the service decides, with a profile too, and keeps what it does not check', async () => {
    await using service = await serveOther({ decisions: { malformedPetId: 404 } })
    const file = join(folder, 'compared.json')
    const profile = join(folder, 'profile.json')
    await writeFile(profile, '{"malformedPetId":404}')
    await runCli('check', service.url, '--write', '--diff', '--record', file)
    const findVerdict = async () =>
      (await read(file)).rules.find(({ rule }) => rule === 'petId abc is 400')?.seen?.verdict
    expect(await findVerdict()).toBe('different')
    const flags = ['--diff', '--profile', profile, '--record', file]
    expect((await runCli('check', service.url, '--write', ...flags)).code).toBe(0)
    expect(await findVerdict()).toBe('different')
    await runCli('check', service.url, ...flags)
    expect(await findVerdict()).toBe('different')
  })

  test('--max-age warns of each older observation, also where only the mock is checked', async () => {
    const file = join(folder, 'old.json')
    const seen = { url: 'https://api.petstore.example/v1', date: '2020-02-29', verdict: 'same' }
    const rule = { operation: 'updateInventory', rule: 'petId abc is 400', basis: 'decided here', seen }
    const content = JSON.stringify({ rules: [rule] })
    await writeFile(file, content)
    const { code, err } = await runCli('check', '--record', file, '--max-age', '30')
    expect([code, err]).toEqual([
      0,
      `warning: 1 observation is older than 30 days. Renew with check URL --record FILE:
  updateInventory: petId abc is 400: seen at https://api.petstore.example/v1 on 2020-02-29`,
    ])
    expect(await readFile(file, 'utf8')).toBe(content)
    await using service = await serveOther({ decisions: {} })
    const compared = await runCli('check', service.url, '--write', '--diff', '--record', file, '--max-age', '30')
    expect([compared.code, compared.err]).toEqual([0, ''])
  })
  test.each([
    ['{"rules":[{"operation":"getPets"}]}', 'Did you mean getPet?'],
    [
      '{"rules":[{"operation":"getPet","rule":"a","basis":"specified","seen":{"url":"a","date":"22.11.2026","verdict":"same"}}]}',
      'rules[0].seen.date must be a day such as 2026-11-22, got "22.11.2026" (string).',
    ],
    ['[]', 'the file must be an object with description, rules'],
  ])('a file with %s is refused, and not overwritten', async (content, message) => {
    const file = join(folder, 'wrong.json')
    await writeFile(file, content)
    const recorded = await runCli('check', 'http://127.0.0.1:1', '--record', file)
    expect(recorded).toMatchObject({ code: 2, err: expect.stringMatching(/--record: .*wrong\.json: /) })
    expect(recorded.err).toContain(message)
    expect(await readFile(file, 'utf8')).toBe(content)
  })

  test.each(['nightly-github.yml', 'nightly-gitlab.yml'])('the pipeline %s checks a service', async (name) => {
    const recipe = await readFile(new URL(`../recipes/ci/${name}`, import.meta.url), 'utf8')
    const [command = ''] = /petstore-mock check .*\n.*--record.*/.exec(recipe) ?? []
    await using server = await serve(createMock())
    const toOwn = (word: string): string =>
      word
        .replaceAll('"', '')
        .replace('https://staging.petstore.example', server.url)
        .replace(/(?<=^|=)(?:\$GITHUB_STEP_SUMMARY|\w+\.\w+)$/, (file) =>
          join(folder, `${name}-${file.replace('$', '')}`),
        )
    const [, ...words] = command.split(/\s+/).map(toOwn)
    await writeFile(join(folder, `${name}-profile.json`), '{}')
    const { code, err } = await runCli(...words)
    expect([code, err]).toEqual([0, ''])
    expect((await read(join(folder, `${name}-record.json`))).rules.length).toBeGreaterThan(80)
  })
})
