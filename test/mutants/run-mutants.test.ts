import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { formatReport } from '../../src/check/reporters.ts'
import { MUTANTS } from '../../src/mutants/mutants.ts'
import { type MutantReport, runMutants, type TestRun } from '../../src/mutants/run-mutants.ts'

const MET = ['listInventory 200', 'listInventory 401', 'updateInventory 200', 'updateInventory 404']
const NAMES = ['lost-update', 'accepted-error', 'list-order']

type Ends = Readonly<Record<string, Partial<TestRun> & { onStop?: () => void }>>

/** Runs three mutants, which the tests meet and do not notice, unless `ends` has another end of their run. */
async function run(ends: Ends = {}, accepted = '', names = NAMES) {
  const started: string[] = []
  const result = await runMutants({
    mutants: MUTANTS.filter(({ name }) => names.includes(name)),
    accepted,
    jobs: 2,
    limitMs: undefined,
    signal: new AbortController().signal,
    tell: () => {},
    async run(name, limitMs, stop) {
      started.push(`${name} ${limitMs}`)
      const { onStop, ...end } = ends[name] ?? {}
      if (onStop !== undefined) await once(stop, 'abort').then(onStop)
      const notes = new Set(name === 'none' ? MET : ['altered'])
      return { code: 0, notes, output: 'red', durationMs: 3000, ...end }
    },
  })
  const { mutants = [] } = result as Partial<MutantReport>
  return { result, started, verdicts: mutants.map(({ verdict, isFinding }) => `${verdict}${isFinding ? '!' : ''}`) }
}

test('runs what the first run can reach with five times its time, and first the mutant that takes longest', async () => {
  const { started } = await run({}, '', [...NAMES, 'slow-answers'])
  expect(started.slice(1)).toEqual(['slow-answers 20000', 'lost-update 15000', 'list-order 15000'])
})

test.each<[string, Record<string, Partial<TestRun>>, string[], RegExp?]>([
  ['an unnoticed defect', {}, ['unnoticed!', 'not reached', 'passed'], /"A lost update went unnoticed: /],
  ['a noticed one', { 'lost-update': { code: 1 } }, ['noticed', 'not reached', 'passed']],
  [
    'what is allowed',
    { 'list-order': { code: 1 } },
    ['unnoticed!', 'not reached', 'noticed!'],
    /"Your tests depend on /,
  ],
  ['no end of a defect', { 'lost-update': { code: undefined } }, ['timed out', 'not reached', 'passed']],
  ['no end', { 'list-order': { code: undefined } }, ['unnoticed!', 'not reached', 'timed out!'], / in time /],
  ['chance', { 'lost-update': { code: 1, notes: new Set(MET) } }, ['not reached', 'not reached', 'passed']],
])('judges %s', async (_, ends, verdicts, sentence = /verdict/) => {
  const judged = await run(ends)
  expect([judged.verdicts, JSON.stringify(judged.result)]).toEqual([verdicts, expect.stringMatching(sentence)])
})

test('an accepted mutant is no finding, and the report names one that need not be accepted', async () => {
  const { result, verdicts } = await run({}, 'lost-update # known\r\n\nlist-order\n{"malformedPetId":404}')
  expect(verdicts).toEqual(['accepted', 'not reached', 'passed'])
  expect(result).toHaveProperty(
    'mutants.2.sentence',
    expect.stringMatching(/^list-order is accepted, but its verdict is passed/),
  )
  await expect(run({}, 'second-pett')).rejects.toThrow('There is no mutant second-pett. Did you mean second-pet?')
})

test('a run that reached no mock, although the first did, has no verdict, and ends the others', async () => {
  const onStop = vi.fn()
  const unreached = { code: 2, notes: new Set(['announced']), output: 'port 4100 is in use' }
  const ends = { 'lost-update': unreached, 'list-order': { onStop } }
  await expect(run(ends)).rejects.toThrow(/^port 4100 is in use\nThis time, no request .* With --jobs, /)
  expect(onStop).toHaveBeenCalledOnce()
})

test.each([
  [{ code: 1, output: '' }, 'The tests must pass on the sound mock first.'],
  [{ code: undefined }, 'red\nThe tests took longer than --timeout on the sound mock. Give them more time.'],
  [{ notes: new Set<string>() }, expect.stringMatching(/^red\nNo request reached a mock of this version\. Use /)],
])('goes no further than a first run with %j', async (first, problem) => {
  expect(await run({ none: first })).toMatchObject({ result: problem, started: ['none undefined'] })
})

test.each([
  [
    'pretty',
    `Findings
- A lost update went unnoticed: every update answered 200 and changed nothing. No test reads the stock again after an update.
- Your tests depend on the order of the list, which the contract leaves open: each list came in another order. Find a pet by its petId.

For your information
- No test expects the 400 of an invalid body for a pet that exists, so that no request met accepted-error.
- No test has seen updateInventory answer 400.
- No test has seen updateInventory answer 401.

lost-update     defect   unnoticed    3000 ms
accepted-error  defect   not reached  0 ms
list-order      allowed  noticed      3000 ms`,
  ],
  ['junit', '<testsuites name="petstore-mock mutate" tests="3" failures="2" errors="0" skipped="1" time="6.000">'],
  ['junit', '<testcase classname="defect" name="lost-update" time="3.000"><failure message="A lost update went'],
  ['junit', '<testcase classname="defect" name="accepted-error" time="0.000"><skipped message="'],
] as const)('the report in %s has %s', async (reporter, text) => {
  const { result } = await run({ 'list-order': { code: 1 } })
  expect(formatReport(result as MutantReport, { reporter })).toContain(text)
})
