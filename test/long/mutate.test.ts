import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { makeSharedFolder } from '../cli/state-folder.ts'
import { describeHanging } from '../programs/describe-hanging.ts'
import { mutate } from '../programs/run-mutate.ts'

const CONSUMER = resolve(import.meta.dirname, '../mutants/consumer')
const REPORT = ['--test-reporter=junit', '--test-reporter-destination={junit}']
const folder = await makeSharedFolder()

describeHanging([
  ['none', 1, 130, /^$/],
  ['open-update', 2, 130, /^$/],
  ['open-update', 0, 0, /\nopen-update +defect +timed out /],
])

test.concurrent('a careless suite that uses a server, with no state or port of its config file, is told which tests are missing', async () => {
  const line = [`${CONSUMER}/on-server.mjs`, 'careless']
  const { code, out } = await mutate(['-j2', '--only=update'], line, { PETSTORE_MOCK_CONFIG: `${CONSUMER}/mock.json` })
  expect(code).toBe(1)
  expect(out).toMatch(/^Findings\n- A lost update went unnoticed: .* No test reads the stock again after an update\.\n/)
  expect(out).toMatch(/^open-update +defect +not reached +0 ms$/m)
})

test.concurrent.for([
  ['on the sound mock', '2', 'no mutant'],
  ['with a mutant', '3', 'missing-pet'],
])('a test that fails by chance %s is named, and the exit code is 3', async ([, FAILS = '', name]) => {
  const line = [...REPORT, `${CONSUMER}/on-server.mjs`, 'flaky']
  const { code, out } = await mutate(['--only=missing-pet'], line, { RUNS: join(folder, `runs-${name}`), FAILS })
  const row = new RegExp(`^${name} .* unstable .* fails by chance$`, 'm')
  expect([code, out]).toEqual([3, expect.stringMatching(row)])
})
