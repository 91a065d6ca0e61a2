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
  readonly accepted?: readonly string[]
  readonly allowUnreached?: boolean
  readonly names?: readonly string[]
}

/** Runs three mutants, which the tests do not notice, unless `ends` has another end. No request meets accepted-error. */
async function run({ ends = {}, accepted = [], allowUnreached = false, names = NAMES }: Given = {}) {
  const started: string[] = []
  const told: string[] = []
  const shown: string[] = []
  const result = await runMutants({
    mutants: MUTANTS.filter(({ name }) => names.includes(name)),
    accepted,
    allowUnreached,
    jobs: 2,
    limitMs: undefined,
    tell: (sentence) => told.push(sentence),
    show: (output) => shown.push(output),
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
  return { result, started, told, shown, verdicts, sentences: mutants.map(({ sentence }) => sentence) }
}

const RED = { code: 1 }
const LATE = { code: undefined }
const GREEN = { code: 0 }

test('runs what the first runs can reach with five times their time, and tells the verdicts', async () => {
  const { started, told } = await run()
  expect(started).toEqual(['none undefined', 'none undefined', 'lost-update 15000', 'list-order 15000'])
  expect(told.sort()).toEqual([
    '1 of 3: accepted-error: not reached',
    '2 of 3: lost-update: unnoticed',
    '3 of 3: list-order: passed',
  ])
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
    /^Some tests fail by chance, so that no verdict is certain\.$/,
  ],
  [
    'a failure that the mutant cannot cause',
    { 'list-order': { ...RED, notes: new Set(MET) } },
    'unnoticed! unstable!',
    /certain\.$/,
  ],
  [
    'a hang that the mutant cannot cause',
    { 'lost-update': { ...LATE, notes: new Set(MET) } },
    'unstable! passed',
    /certain\.$/,
  ],
])('judges %s', async (_, ends, verdicts, sentence) => {
  const judged = await run({ ends, names: ['lost-update', 'list-order'] })
  expect([judged.verdicts.join(' '), judged.sentences.join('')]).toEqual([verdicts, expect.stringMatching(sentence)])
})

test('a defect that no request can meet is a finding, unless that is allowed', async () => {
  const names = ['accepted-error', 'slow-answers']
  const { verdicts, sentences } = await run({ names, ends: { 'slow-answers': { notes: new Set(MET) } } })
  expect(verdicts).toEqual(['not reached!', 'not reached'])
  expect(sentences[0]).toBe('No invalid update of a pet that exists reached the mock.')
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

test('an accepted mutant is no finding, unless it is unstable', async () => {
  const accepted = ['lost-update', 'accepted-error']
  expect((await run({ accepted })).verdicts).toEqual(['unnoticed', 'not reached', 'passed'])
  const ends = { 'lost-update': [RED, GREEN] }
  expect((await run({ accepted, ends })).verdicts).toEqual(['unstable!', 'not reached', 'passed'])
})

test('one test that would meet several mutants is one finding, and what fails by chance is the first', async () => {
  const { result } = await run({
    names: ['accepted-error', 'applied-error', 'list-order'],
    ends: { 'list-order': [RED, GREEN] },
  })
  const report = formatReport(result as MutantReport, { reporter: 'pretty' })
  expect(report.split('\n\n')[0]).toBe(`Findings
- Some tests fail by chance, so that no verdict is certain.
- No invalid update of a pet that exists reached the mock.`)
})

const ALL_MUST_PASS = 'Tests fail on the sound mock, where all must pass'

test.each<[readonly End[], string]>([
  [[RED], `${ALL_MUST_PASS}.`],
  [[{ ...RED, failed: new Set(['a', 'b', 'c', 'd', 'e']) }], `${ALL_MUST_PASS}: a; b; c; 2 more.`],
  [[GREEN, LATE], 'The tests took longer than --timeout on the sound mock. Give them more time.'],
  [[GREEN, { notes: new Set() }], expect.stringMatching(/^No request reached a mock of this version\. Use /)],
])('shows the output of first runs with %j, and goes no further', async (none, problem) => {
  expect(await run({ ends: { none } })).toMatchObject({ result: problem, shown: ['red'], started: { length: 2 } })
})

test('a run with a mutant that passes without a request leaves no report, because a cache may have answered', async () => {
  const ends = { 'list-order': { notes: new Set(['announced']), output: 'cache hit' } }
  expect(await run({ ends })).toMatchObject({ result: expect.stringMatching(/^No request/), shown: ['cache hit'] })
})

test.each([
  [['a', 'b'], 'certain: a; b.'],
  [[], 'certain.'],
])('goes no further than two first runs of which one fails, and names its tests %j', async (failed, end) => {
  const none = [GREEN, { ...RED, failed: new Set(failed) }]
  const { shown, started, verdicts, sentences } = await run({ ends: { none } })
  expect([started.length, verdicts, shown]).toEqual([2, ['unstable!'], ['red']])
  expect(sentences).toEqual([expect.stringMatching(new RegExp(` by chance, .*${end}$`))])
})

test.each([
  [['a'], []],
  [[], ['red']],
])(
  'the output of a run with a mutant is shown if its tests fail by chance and are not named %j',
  async (failed, output) => {
    const ends = { 'lost-update': [{ ...RED, failed: new Set(failed) }, GREEN] }
    expect((await run({ ends })).shown).toEqual(output)
  },
)

test.each([
  [
    'pretty',
    `Findings
- A lost update went unnoticed: every update answered 200 and changed nothing. No test reads the stock again after an update.
- Your tests depend on the order of the list, which the contract leaves open: each list came in another order. Find a pet by its petId.

For your information
- No invalid update of a pet that exists reached the mock.

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
