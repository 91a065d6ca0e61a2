import { expect, test } from 'vitest'
import { formatReport, isReport } from '../../src/check/reporters.ts'
import { MUTANTS } from '../../src/mutants/mutants.ts'
import { type MutantReport, runMutants, type TestRun } from '../../src/mutants/run-mutants.ts'

const MET = ['listInventory 200', 'listInventory 401', 'updateInventory 200', 'updateInventory 404']
const NAMES = ['lost-update', 'accepted-error', 'list-order']

type End = Partial<TestRun>

interface Given {
  /** How the runs with a mutant end; of several ends, one after the other. */
  readonly ends?: Readonly<Record<string, End | readonly End[]>>
  readonly accepted?: string
  readonly allowUnreached?: boolean
  readonly names?: readonly string[]
}

/** Runs three mutants, which the tests do not notice, unless `ends` has another end. No request meets accepted-error. */
async function run({ ends = {}, accepted = '', allowUnreached = false, names = NAMES }: Given = {}) {
  const started: string[] = []
  const told: string[] = []
  const result = await runMutants({
    mutants: MUTANTS.filter(({ name }) => names.includes(name)),
    accepted,
    allowUnreached,
    jobs: 2,
    limitMs: undefined,
    signal: new AbortController().signal,
    tell: (sentence) => told.push(sentence),
    async run(name, limitMs) {
      const count = started.push(`${name} ${limitMs}`) && started.filter((each) => each.startsWith(`${name} `)).length
      const end = [ends[name] ?? {}].flat()
      const notes = new Set(name === 'none' ? MET : ['altered'])
      const standard = { code: 0, notes, failed: new Set<string>(), output: 'red', durationMs: 3000 }
      return { ...standard, ...(end[count - 1] ?? end.at(-1)) }
    },
  })
  const { mutants = [] } = result as Partial<MutantReport>
  const verdicts = mutants.map(({ verdict, isFinding }) => `${verdict}${isFinding ? '!' : ''}`)
  return { result, started, told, verdicts, sentences: mutants.map(({ sentence }) => sentence) }
}

const RED = { code: 1 }
const LATE = { code: undefined }
const GREEN = { code: 0 }

test('runs what the first runs can reach with five times their time, and first the mutant that takes longest', async () => {
  const { started } = await run({ names: [...NAMES, 'slow-answers'] })
  const mutants = ['slow-answers 20000', 'lost-update 15000', 'list-order 15000']
  expect(started).toEqual(['none undefined', 'none undefined', ...mutants])
})

test.each<[string, NonNullable<Given['ends']>, string, RegExp]>([
  ['an unnoticed defect', {}, 'unnoticed! passed', /^A lost update went unnoticed: /],
  ['a noticed one', { 'lost-update': RED }, 'noticed passed', /^$/],
  ['what is allowed', { 'list-order': RED }, 'unnoticed! noticed!', /Your tests depend on the order of the list/],
  ['no end of a defect', { 'lost-update': LATE }, 'timed out passed', /^$/],
  [
    'no end',
    { 'list-order': LATE },
    'unnoticed! timed out!',
    /Your tests did not end in time \(see --timeout\) and may/,
  ],
  ['no end, and a failure', { 'lost-update': [LATE, RED] }, 'noticed passed', /^$/],
  [
    'a failure that a second run does not have',
    { 'lost-update': [RED, GREEN] },
    'unstable! passed',
    /^Your tests are not stable\. With lost-update, some failed by chance\.$/,
  ],
  [
    'a failure that the mutant cannot cause',
    { 'list-order': { ...RED, notes: new Set(MET) } },
    'unnoticed! unstable!',
    /chance\.$/,
  ],
])('judges %s', async (_, ends, verdicts, sentence) => {
  const judged = await run({ ends, names: ['lost-update', 'list-order'] })
  expect([judged.verdicts.join(' '), judged.sentences.join('')]).toEqual([verdicts, expect.stringMatching(sentence)])
})

test('a defect that no request can meet is a finding, unless that is allowed', async () => {
  const names = ['accepted-error', 'slow-answers']
  const { verdicts, sentences } = await run({ names, ends: { 'slow-answers': { notes: new Set(MET) } } })
  expect(verdicts).toEqual(['not reached!', 'not reached'])
  expect(sentences[0]).toMatch(/^No test expects the 400 of .*, so that no request met accepted-error\.$/)
  expect((await run({ names, allowUnreached: true })).verdicts[0]).toBe('not reached')
})

test.each([
  ['are named', ['b', 'c'], ['a', 'b'], ['b']],
  ['are all named if none failed twice', ['a'], ['b'], ['a', 'b']],
])('the tests that noticed a mutant in both of its runs %s', async (_, first, second, tests) => {
  const ends = [first, second].map((names) => ({ ...RED, failed: new Set(names) }))
  const { result } = await run({ ends: { 'lost-update': ends } })
  expect(result).toHaveProperty('mutants.0.tests', tests)
})

test('an accepted mutant is no finding', async () => {
  const accepted = 'lost-update # known\r\n\naccepted-error\n{"malformedPetId":404}'
  expect((await run({ accepted })).verdicts).toEqual(['unnoticed', 'not reached', 'passed'])
  await expect(run({ accepted: 'second-pett' })).rejects.toThrow(
    'There is no mutant second-pett. Did you mean second-pet?',
  )
})

test.each<[readonly End[], unknown]>([
  [[{ ...RED, output: '' }], 'The tests must pass on the sound mock first.'],
  [[GREEN, LATE], 'red\nThe tests took longer than --timeout on the sound mock. Give them more time.'],
  [[GREEN, { notes: new Set() }], expect.stringMatching(/^red\nNo request reached a mock of this version\. Use /)],
])('goes no further than first runs with %j', async (none, problem) => {
  expect(await run({ ends: { none } })).toMatchObject({ result: problem, started: { length: 2 } })
})

test.each([
  ['names the tests', ['a', 'b'], ': a; b.', []],
  ['without a report tells its output', [], '.', ['red']],
])('goes no further than two first runs of which one fails, and %s', async (_, failed, end, output) => {
  const none = [GREEN, { ...RED, failed: new Set(failed) }]
  const { told, started, verdicts, sentences } = await run({ ends: { none } })
  expect([started.length, verdicts, told]).toEqual([2, ['unstable!'], output])
  expect(sentences).toEqual([`Your tests are not stable. With no mutant, some failed by chance${end}`])
})

test.each([
  [
    'pretty',
    `Findings
- A lost update went unnoticed: every update answered 200 and changed nothing. No test reads the stock again after an update.
- Your tests depend on the order of the list, which the contract leaves open: each list came in another order. Find a pet by its petId.

For your information
- No test expects the 400 of an invalid body for a pet that exists, so that no request met accepted-error.

lost-update     defect   unnoticed    3000 ms
accepted-error  defect   not reached  0 ms
list-order      allowed  noticed      6000 ms  a; b; c; 1 more`,
  ],
  ['json', '"name": "lost-update"'],
  ['junit', '<testsuites name="petstore-mock mutate" tests="3" failures="2" errors="0" skipped="1" time="9.000">'],
  ['junit', '<testcase classname="defect" name="lost-update" time="3.000"><failure message="A lost update went'],
  ['junit', '<testcase classname="defect" name="accepted-error" time="0.000"><skipped message="'],
] as const)('the report in %s has %s', async (reporter, text) => {
  const failed = new Set(['a', 'b', 'c', 'd'])
  const { result } = await run({ ends: { 'list-order': { ...RED, failed } }, allowUnreached: true })
  const report = formatReport(result as MutantReport, { reporter })
  expect(report).toContain(text)
  expect(isReport(`${report}\n`)).toBe(true)
})
