import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { spawnBin } from '../cli/start-bin.ts'
import { describeHanging } from './describe-hanging.ts'

const CONSUMER = resolve(import.meta.dirname, '../mutants/consumer')
async function mutate(flags: readonly string[], line: readonly string[], env: Readonly<Record<string, string>> = {}) {
  await using bin = spawnBin(['mutate', ...flags, '--', process.execPath, ...line], { env })
  return { code: await bin.exit, out: bin.out(), err: bin.err() }
}

async function createFolder(onTestFinished: (end: () => Promise<void>) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mutate-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test.concurrent('a careless suite that uses a server, with no state or port of its config file, is told which tests are missing', async () => {
  const line = [`${CONSUMER}/on-server.mjs`, 'careless']
  const { code, out } = await mutate(['-j2', '--only=update'], line, { PETSTORE_MOCK_CONFIG: `${CONSUMER}/mock.json` })
  expect(code).toBe(1)
  expect(out).toMatch(/^Findings\n- A lost update went unnoticed: .* No test reads the stock again after an update\.\n/)
  expect(out).toMatch(/^open-update +defect +not reached +0 ms$/m)
})

test.concurrent('a careful suite with a mock in its process notices a defect, and bears what is allowed', async () => {
  const line = [resolve('node_modules/vitest/vitest.mjs'), 'run', '--root', CONSUMER]
  const { code, out, err } = await mutate(['-j2', '--only', 'ty'], line, { SUITE: 'careful' })
  expect(out).toMatch(/^No findings\n\nold-quantity +defect +noticed .*\nnew-property +allowed +passed .*\n$/)
  expect([code, err]).toEqual([0, expect.stringMatching(/^1 of 2: .*: (?:noticed|passed)\n2 of 2: .*\n$/)])
})

test.concurrent('what no request meets is a finding, unless --allow-unreached or --accept excuses it', async ({
  onTestFinished,
}) => {
  const folder = await createFolder(onTestFinished)
  const [known, unknown] = [join(folder, 'known'), join(folder, 'unknown')]
  await writeFile(known, 'list-order # a note\r\n\nopen-list\n')
  await writeFile(unknown, 'open-lst')
  const line = [`${CONSUMER}/on-server.mjs`, 'empty']
  const flags = [[], ['--allow-unreached'], ['--accept', known], ['--accept', unknown]]
  const [found, ...others] = await Promise.all(flags.map((each) => mutate(['--only=open-list', ...each], line)))
  const sentence = '- No request for the list without a valid key reached the mock.'
  expect(found).toMatchObject({ code: 1, out: expect.stringContaining(`Findings\n${sentence}\n`) })
  const excused = { code: 0, out: expect.stringContaining(`No findings\n\nFor your information\n${sentence}\n`) }
  const refused = { code: 2, err: expect.stringContaining('There is no mutant open-lst. Did you mean open-list?') }
  expect(others).toMatchObject([excused, excused, refused])
})

const REPORT = ['--test-reporter=junit', '--test-reporter-destination={junit}']

test.concurrent('a report of the runner names the tests that noticed', async () => {
  const { code, out } = await mutate(['-j2', '--only=open-list'], [...REPORT, `${CONSUMER}/on-server.mjs`, 'careful'])
  expect([code, out]).toEqual([0, expect.stringMatching(/ noticed {2}\d+ ms {2}a wrong key is a 401\n$/)])
})

test.concurrent.for([
  ['on the sound mock', '2', 'no mutant'],
  ['with a mutant', '3', 'missing-pet'],
])(
  'a test that fails by chance %s is named, and the exit code is 3',
  async ([, FAILS = '', name], { onTestFinished }) => {
    const folder = await createFolder(onTestFinished)
    const line = [...REPORT, `${CONSUMER}/on-server.mjs`, 'flaky']
    const { code, out } = await mutate(['--only=missing-pet'], line, { RUNS: join(folder, 'runs'), FAILS })
    const row = new RegExp(`^${name} .* unstable .* fails by chance$`, 'm')
    expect([code, out]).toEqual([3, expect.stringMatching(row)])
  },
)

test.concurrent('the output of tests that fail on the sound mock is shown', async () => {
  const { code, out, err } = await mutate([], ['-e', 'console.log("\\x1b[31mno database\\x1b[39m"); process.exit(3)'])
  expect([code, out, err]).toEqual([2, '', expect.stringMatching(/^no database\npetstore-mock: /)])
})

// More of them: test/long/mutate.test.ts.
describeHanging([['open-update', 1, 130, /^$/]])
