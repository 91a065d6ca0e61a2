import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { OTHER_DECISIONS, serveOther } from '../check/other-service.ts'
import { runCli, startCli } from '../cli/run-cli.ts'
import { makeSharedFolder } from '../cli/state-folder.ts'

/** Without the case that waits for late changes. */
const QUICK = ['--write', '--only', 'should get']

const folder = await makeSharedFolder()

describe('petstore-mock check --write-profile', () => {
  test('writes and prints the points that the service decides otherwise', async () => {
    await using service = await serveOther({ apiKey: 'own-secret' })
    const file = join(folder, 'other.json')
    const { code, out, err } = await runCli(
      'check',
      service.url,
      '-k',
      'own-secret',
      '--write',
      '--write-profile',
      file,
    )
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^order: 404, 400, 401, where the mock has 401, 400, 404$/m)
    expect(out).toMatch(/^10 of 10 points differ, 0 are unknown\.$/m)
    const content = await readFile(file, 'utf8')
    const { description, ...profile } = JSON.parse(content) as { description: string }
    expect(profile).toEqual(OTHER_DECISIONS)
    expect(description).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1, seen on \d{4}-\d\d-\d\d$/)
    expect(content + out).not.toContain('own-secret')
    expect(() => createMock({ profile })).not.toThrow()
  })

  test('says which points only --write can find, and leaves a file alone that is there', async () => {
    await using server = await serve(createMock())
    const file = join(folder, 'read.json')
    const { code, out } = await runCli('check', server.url, '--write-profile', file)
    expect([code, out]).toEqual([0, expect.stringContaining('unknown: order: updates are only sent with --write.\n')])
    const again = await runCli('check', server.url, '--write-profile', file)
    expect(again).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--write-profile: .* already exists\..*--force/),
    })
    const forced = await runCli('check', server.url, '--write-profile', file, '--force')
    expect(forced).toMatchObject({ code: 2, err: expect.stringContaining('--force needs --write: ') })
    const written = await runCli('check', server.url, ...QUICK, '--write-profile', file, '--force')
    expect(written).toMatchObject({ code: 0, err: '' })
  })

  test('without it, a run names them too, but those that --profile names', async () => {
    await using service = await serveOther({ decisions: { malformedPetId: 404, codes: { 404: 'E_PET' } } })
    const file = join(folder, 'known.json')
    await writeFile(file, '{"malformedPetId":404,"codes":{"401":"E_KEY","404":"E_PET"}}')
    const { code, out } = await runCli('check', service.url, ...QUICK)
    expect([code, out]).toEqual([0, expect.stringMatching(/^differs: updateInventory: petId abc should get 400/m)])
    const named = /^malformedPetId: 404, where the mock has 400\ncodes\.404: E_PET, where the mock has not_found$/m
    expect(out).toMatch(named)
    const known = await runCli('check', service.url, ...QUICK, '--profile', file)
    expect(known.out).toMatch(/^note: updateInventory: petId abc should get 400: .*, which the profile allows\.$/m)
    expect(known.out).toMatch(/of \d+ cases .*\ncodes\.401: unauthorized, where the mock has E_KEY$/)
  })

  test('a mutant in the environment does not change the mock that it is compared with', async () => {
    await using server = await serve(createMock())
    const file = join(folder, 'none.json')
    await writeFile(file, '{}')
    vi.stubEnv('PETSTORE_MOCK_MUTANT', 'lost-update')
    const { code, out, err } = await runCli('check', server.url, ...QUICK, '--profile', file)
    expect([code, out, err]).toEqual([0, expect.stringMatching(/ 0 failed, 0 differ, .*: http:\S+$/), ''])
  })

  test('puts the stock back if it is stopped, and writes no file', async () => {
    const mock = createMock()
    const before = mock.inventory.list()
    const updated = Promise.withResolvers<void>()
    mock.onChange(() => updated.resolve())
    await using server = await serve(mock)
    const run = startCli('check', server.url, '--write', '--write-profile', join(folder, 'stopped.json'))
    await updated.promise
    expect(await run.stop()).toBe(130)
    expect(run.err()).toMatch(/Changed and restored: pet \d+(, pet \d+)*\.$/)
    expect(mock.inventory.list()).toEqual(before)
    await expect(access(join(folder, 'stopped.json'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('a code cannot control the terminal, nor fill it', async () => {
    const code = `\u001b[31m\u009b31m\u202e\u007f${'x'.repeat(60)}`
    await using service = await serveOther({ decisions: { codes: { 401: code } } })
    const { out } = await runCli('check', service.url, '--write-profile', join(folder, 'escapes.json'))
    expect(out).toMatch(/^codes\.401: \\u\{1b\}\[31m\\u\{9b\}31m\\u\{202e\}\\u\{7f\}x+…/m)
    expect(out).not.toMatch(/[^\n\P{C}]/u)
    const { codes } = JSON.parse(await readFile(join(folder, 'escapes.json'), 'utf8')) as { codes: object }
    expect(codes).toEqual({ 401: code })
  })

  test('--reporter json prints every point, and nothing else beside a report in a file', async () => {
    await using server = await serve(createMock())
    const file = join(folder, 'points.json')
    const reporters = ['--reporter', 'json', '--reporter', `pretty=${join(folder, 'points.txt')}`]
    const { out } = await runCli('check', server.url, '--write-profile', file, ...reporters)
    const { points } = JSON.parse(out) as { points: readonly { point: string }[] }
    expect(points.map(({ point }) => point)).toContain('quantity.max')
  })
})

test.each([
  ['nowhere/p.json', 'ENOENT'],
  ['.', 'it is a folder'],
])('check URL --write --write-profile %s is refused before the first request', async (name, reason) => {
  await using service = await serveOther()
  const path = join(folder, name)
  const { code, err } = await runCli('check', service.url, '--write', '--write-profile', path)
  expect([code, err]).toEqual([2, expect.stringContaining(`--write-profile: ${path} cannot be written (${reason}`)])
  expect(service.requests).toEqual([])
})
