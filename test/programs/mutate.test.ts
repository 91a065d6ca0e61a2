import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { makeSharedFolder } from '../cli/state-folder.ts'
import { describeHanging } from './describe-hanging.ts'
import { mutate } from './run-mutate.ts'

const CONSUMER = resolve(import.meta.dirname, '../mutants/consumer')

const folder = await makeSharedFolder()

test.concurrent('a careful suite with a mock in its process notices a defect, and bears what is allowed', async () => {
  const line = [resolve('node_modules/vitest/vitest.mjs'), 'run', '--root', CONSUMER]
  const { code, out, err } = await mutate(['-j2', '--only', 'ty'], line, { SUITE: 'careful' })
  expect(out).toMatch(/^No findings\n\nold-quantity +defect +noticed .*\nnew-property +allowed +passed .*\n$/)
  expect([code, err]).toEqual([0, expect.stringMatching(/^1 of 2: .*: (?:noticed|passed)\n2 of 2: .*\n$/)])
})

test.concurrent('what no request meets is a finding, unless --allow-unreached or --accept excuses it', async () => {
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

test.concurrent('the output of tests that fail on the sound mock is shown', async () => {
  const { code, out, err } = await mutate([], ['-e', 'console.log("\\x1b[31mno database\\x1b[39m"); process.exit(3)'])
  expect([code, out, err]).toEqual([2, '', expect.stringMatching(/^no database\npetstore-mock: /)])
})

// More of them: test/long/mutate.test.ts.
describeHanging([['open-update', 1, 130, /^$/]])
