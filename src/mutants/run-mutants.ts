import { joinFirst } from '../http/quote.ts'
import { ALTERED, ANNOUNCED, SOUND } from './apply-mutant.ts'
import type { Mutant } from './mutants.ts'

export interface TestRun {
  /** The exit code; `undefined` after the time limit. */
  readonly code: number | undefined
  /** What the mocks noted: operations with their statuses, and whether a mutant did anything. */
  readonly notes: ReadonlySet<string>
  /** The names of the tests that failed, if the command wrote a report. */
  readonly failed: ReadonlySet<string>
  readonly durationMs: number
  readonly output: string
}

/** `not reached`: no request met what the mutant does otherwise. `unstable`: tests failed by chance. */
type Verdict = 'noticed' | 'unnoticed' | 'passed' | 'not reached' | 'timed out' | 'unstable'

export interface MutantResult extends Mutant {
  readonly verdict: Verdict
  readonly isFinding: boolean
  readonly durationMs: number
  /** The tests that noticed the mutant, or that are not stable. */
  readonly tests: readonly string[]
  readonly sentence: string | undefined
}

export interface MutantReport {
  readonly mutants: readonly MutantResult[]
}

const UNREACHED = 'No request reached a mock of this version. Use createMock, or send requests to PETSTORE_MOCK_URL.'

interface RunOptions {
  readonly mutants: readonly Mutant[]
  readonly accepted: readonly string[]
  readonly allowUnreached: boolean
  readonly jobs: number
  readonly limitMs: number | undefined
  readonly run: (mutant: string, limitMs: number | undefined) => Promise<TestRun>
  readonly tell: (sentence: string) => void
  /** Shows what the tests printed in a run that no report explains. */
  readonly show: (output: string) => void
}

/** Runs the tests twice on the sound mock and then on every mutant, or says why these runs cannot be compared. */
export async function runMutants(options: RunOptions): Promise<MutantReport | string> {
  const { mutants, accepted, jobs, run, tell, show } = options
  // A cache may have answered for the tests.
  const isSilent = ({ code, notes }: TestRun) => code === 0 && notes.isSubsetOf(new Set([ANNOUNCED]))
  const sound = await inLanes([1, 2], jobs, () => run(SOUND, options.limitMs))
  const failed = sound.filter(({ code }) => code !== 0)
  const silent = sound.filter(isSilent)
  for (const { output } of [...failed, ...silent].slice(0, 1)) show(output)
  if (failed.some(({ code }) => code === undefined))
    return 'The tests took longer than --timeout on the sound mock. Give them more time.'
  if (failed.length === 2) return `Tests fail on the sound mock, where all must pass${nameTests(sound)}.`
  if (failed.length > 0) return { mutants: [judge({ name: 'no mutant', kind: 'open', text: '' }, sound)] }
  if (silent.length > 0) return UNREACHED
  const answers = new Set(sound.flatMap(({ notes }) => [...notes]))
  const limitMs = options.limitMs ?? Math.max(10_000, ...sound.map(({ durationMs }) => 5 * durationMs))
  let done = 0
  const results = await inLanes(mutants, jobs, async (mutant) => {
    const isReachable = mutant.needs?.every((answer) => answers.has(answer)) ?? true
    const runs: TestRun[] = []
    // A failure counts if it happens twice.
    while (isReachable && runs.length < 2 && runs[0]?.code !== 0) runs.push(await run(mutant.name, limitMs))
    silent.push(...runs.filter(isSilent))
    const result = judge(mutant, runs)
    const { verdict, tests } = result
    tell(`${++done} of ${mutants.length}: ${mutant.name}: ${verdict}`)
    if (verdict === 'unstable' && tests.length === 0) show(runs.find(({ code }) => code !== 0)?.output ?? '')
    const isKnown = accepted.includes(mutant.name) || (options.allowUnreached && verdict === 'not reached')
    return verdict !== 'unstable' && isKnown ? { ...result, isFinding: false } : result
  })
  for (const { output } of silent.slice(0, 1)) show(output)
  return silent.length > 0 ? UNREACHED : { mutants: results }
}

/** Does the work for each item, for as many at once as there are lanes. */
async function inLanes<T, R>(items: readonly T[], lanes: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const waiting = items.entries()
  const results: R[] = []
  const runLane = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: lanes }, runLane))
  return results
}

function judge(mutant: Mutant, runs: readonly TestRun[]): MutantResult {
  const { kind, text, met = '' } = mutant
  const verdict = toVerdict(kind, runs)
  const sentences: { readonly [Each in Verdict]?: string } = {
    unstable: `Some tests fail by chance, so that no verdict is certain${nameTests(runs)}.`,
    unnoticed: `${text.replace(':', ' went unnoticed:')}.`,
    ...(kind === 'defect'
      ? { 'not reached': `No ${met} reached the mock.` }
      : {
          noticed: `Your tests depend on ${text}.`,
          'timed out': `Your tests did not end in time (see --timeout) and may depend on ${text}.`,
        }),
  }
  const sentence = sentences[verdict]
  const durationMs = runs.reduce((sum, run) => sum + run.durationMs, 0)
  return { ...mutant, verdict, isFinding: sentence !== undefined, durationMs, tests: listTests(runs), sentence }
}

function toVerdict(kind: Mutant['kind'], runs: readonly TestRun[]): Verdict {
  const isMet = runs.some(({ notes }) => notes.has(ALTERED))
  if (runs.length < 2) return !isMet ? 'not reached' : kind === 'defect' ? 'unnoticed' : 'passed'
  if (!isMet || runs.some(({ code }) => code === 0)) return 'unstable'
  return runs.every(({ code }) => code === undefined) ? 'timed out' : 'noticed'
}

function nameTests(runs: readonly TestRun[]): string {
  const tests = listTests(runs)
  return tests.length === 0 ? '' : `: ${joinFirst(tests)}`
}

/** The tests that failed in both runs, or else in one. */
function listTests(runs: readonly TestRun[]): string[] {
  const [first = new Set<string>(), second = new Set<string>()] = runs.map(({ failed }) => failed)
  const both = first.intersection(second)
  return [...(both.size > 0 ? both : first.union(second))]
}
