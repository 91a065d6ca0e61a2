// Runs a suite with `petstore-mock mutate`, and checks its verdicts and exit code: node mutate.mjs careless COMMAND…, or
// node mutate.mjs careless --only=WORDS COMMAND… with some of the mutants.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'

/** What the suites notice, apart from the defects that the others stand for. */
const NOTICED = {
  careless: ['unknown-pet', 'list-order', 'new-property'],
  empty: [],
  flaky: [],
  contract: [],
  variations: ['accepted-error', 'open-list', 'open-update'],
}
/** @default 1 */
const EXIT_CODES = { careful: 0, slow: 0, red: 2, flaky: 3 }

const [suite, ...command] = process.argv.slice(2)
const only = command[0].startsWith('--only=') ? [command.shift()] : []
const hasReport = command.join().includes('{junit}')
// Portman's runs share files.
const jobs = hasReport ? '-j2' : '-j1'
const line = [
  'mutate',
  '--quiet',
  jobs,
  '--reporter=json',
  ...only,
  '--',
  ...command.map((word) => word.replace('SUITE', suite)),
]
const runs = resolve('runs')
rmSync(runs, { force: true })
// The first run with a mutant, since one of two on the sound mock would end them all.
const env = { ...process.env, SUITE: suite, RUNS: runs, FAILS: '3' }
const { status, stdout, stderr } = spawnSync('petstore-mock', line, { encoding: 'utf8', env })
assert.equal(status, EXIT_CODES[suite] ?? 1, stderr)
if (suite === 'red') {
  assert.match(stderr, /Tests fail on the sound mock/)
  process.exit()
}
const { mutants } = JSON.parse(stdout)
const list = (verdict) => mutants.filter((each) => each.verdict === verdict)
const defects = mutants.filter(({ kind }) => kind === 'defect')
const noticed = (NOTICED[suite] ?? defects.map(({ name }) => name)).filter((name) =>
  mutants.some((each) => each.name === name),
)
assert.deepEqual([suite, list('noticed').map(({ name }) => name)], [suite, noticed])
assert.equal(list('unstable').length, suite === 'flaky' ? 1 : 0)
for (const { name, kind, verdict, isFinding } of mutants)
  assert.equal(isFinding, verdict === 'unstable' || (kind === 'defect') !== noticed.includes(name), name)
const named = hasReport ? [...list('noticed'), ...list('unstable')] : []
for (const { name, tests } of named) assert.equal(tests.length, 1, `${name}: ${tests}`)
