// Runs suites with `petstore-mock mutate`, which says what each does not notice: node mutate.mjs careful,careless COMMAND…
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'

/** What the suites notice, apart from the defects that `careful` stands for. */
const NOTICED = {
  careless: ['unknown-pet', 'list-order', 'new-property'],
  contract: [],
  variations: ['accepted-error', 'open-list', 'open-update'],
}

const [suites, ...command] = process.argv.slice(2)
for (const suite of suites.split(',')) {
  const line = ['mutate', '--quiet', '--reporter', 'json', '--', ...command.map((word) => word.replace('SUITE', suite))]
  const env = { ...process.env, SUITE: suite }
  const { status, stdout, stderr } = spawnSync('petstore-mock', line, { encoding: 'utf8', env })
  const { mutants, unseen } = JSON.parse(stdout || assert.fail(stderr))
  const noticed = mutants.filter(({ verdict }) => verdict === 'noticed').map(({ name }) => name)
  const defects = mutants.filter(({ kind }) => kind === 'defect')
  assert.deepEqual([suite, noticed], [suite, NOTICED[suite] ?? defects.map(({ name }) => name)])
  assert.equal(status, suite === 'careful' ? 0 : 1)
  const untold = defects.filter(({ name, sentence }) => sentence === undefined && !unseen.join().includes(name))
  for (const { name } of untold) assert.equal(noticed.includes(name), true, `${name} is not told`)
}
