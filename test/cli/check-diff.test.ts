import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { serveOther } from '../check/other-service.ts'
import { runCli, startCli } from './run-cli.ts'
import { makeSharedFolder } from './state-folder.ts'

const folder = await makeSharedFolder()

describe('petstore-mock check --diff', () => {
  test('exits with 1 for a service that decides otherwise, and with 0 with its profile', async () => {
    await using service = await serveOther()
    const file = join(folder, 'other.json')
    const { code, out, err } = await runCli('check', service.url, '--write', '--diff')
    expect([code, err]).toEqual([1, ''])
    expect(out).toMatch(
      /^failed: updateInventory: an unknown pet is 404 .*\n {2}The mock responds .*, the service .*\n {2}\$ curl /m,
    )
    await runCli('check', service.url, '--write', '--write-profile', file)
    const again = await runCli('check', service.url, '--write', '--diff', '--profile', file)
    expect([again.code, again.err, again.out]).toEqual([0, '', expect.stringMatching(/ 0 failed, /)])
  })

  test('compares with a sound mock in a run of mutate', async () => {
    await using server = await serve(createMock())
    vi.stubEnv('PETSTORE_MOCK_MUTANT', 'lost-update')
    expect(await runCli('check', server.url, '--write', '--diff')).toMatchObject({ code: 0, err: '' })
  })

  test('--write-profile puts the stock back if it is stopped, and writes no file', async () => {
    const mock = createMock()
    const before = mock.inventory.list()
    const updated = Promise.withResolvers<void>()
    mock.onChange(() => updated.resolve())
    await using server = await serve(mock)
    const run = startCli('check', server.url, '--write', '--write-profile', join(folder, 'stopped.json'))
    await updated.promise
    expect(await run.stop()).toBe(130)
    expect(run.err()).toMatch(/^The stock of pets? \d+(, \d+)* was restored\.$/)
    expect(mock.inventory.list()).toEqual(before)
    await expect(access(join(folder, 'stopped.json'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
