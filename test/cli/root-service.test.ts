import { expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { runCli } from './run-cli.ts'

test.each([
  ['--write', / 0 failed, .*: http:\/\/127\.0\.0\.1:\d+$/m],
  ['--diff', /^0 of \d+ cases differ, .*: http:\/\/127\.0\.0\.1:\d+$/m],
])('check %s finds a service at the root where the URL has no path', async (flag, expected) => {
  await using server = await serve(createMock({ baseUrl: '/', fixture: 'low-stock' }))
  const { code, out, err } = await runCli('check', `${server.url}/`, flag)
  expect([code, out, err]).toEqual([0, expect.stringMatching(expected), ''])
})

test('check names both addresses if there is no inventory at either', async () => {
  await using server = await serve(createMock({ baseUrl: '/api' }))
  const { code, err } = await runCli('check', server.url)
  const places = `there is no inventory at ${server.url}/v1/inventory or ${server.url}/inventory (404)`
  expect([code, err]).toEqual([2, expect.stringContaining(`${places}. Pass the URL with its base path.`)])
})
