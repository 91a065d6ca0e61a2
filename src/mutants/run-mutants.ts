import { ERROR_ORDERS, type Rules } from '../inventory/profile.ts'
import { ALTERED, SOUND } from './apply-mutant.ts'
import { findMutant, MUTANTS, type Mutant } from './mutants.ts'

export { MUTANTS }

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

const RED = 'The tests must pass on the sound mock first.'
const LATE = 'The tests took longer than --timeout on the sound mock. Give them more time.'
const UNREACHED = 'No request reached a mock of this version. Use createMock, or send requests to PETSTORE_MOCK_URL.'
const NO_MUTANT: Mutant = { name: 'no mutant', kind: 'open', text: '' }

interface RunOptions {
  readonly mutants: readonly Mutant[]
  readonly accepted: string
  readonly allowUnreached: boolean
  readonly jobs: number
  readonly limitMs: number | undefined
  readonly run: (mutant: string, limitMs: number | undefined) => Promise<TestRun>
  readonly signal: AbortSignal
  readonly tell: (sentence: string) => void
}

/** Runs the tests twice on the sound mock and then on every mutant, or says why these runs cannot be compared. */
export async function runMutants(options: RunOptions): Promise<MutantReport | string> {
  const { mutants, allowUnreached, jobs, run, signal, tell } = options
  const accepted = parseAccepted(options.accepted)
  const sound: TestRun[] = []
  await inLanes([1, 2], jobs, async () => void sound.push(await run(SOUND, options.limitMs)))
  const failed = sound.filter(({ code }) => code !== 0)
  const notes = new Set(sound.flatMap((each) => [...each.notes]))
  const isLate = failed.some(({ code }) => code === undefined)
  const isUnreached = failed.length === 0 && sound.some((each) => each.notes.size === 0)
  const problem = isLate ? LATE : failed.length === 2 ? RED : isUnreached ? UNREACHED : undefined
  if (problem !== undefined) return `${(failed[0] ?? sound[0])?.output.trimEnd()}\n${problem}`.trimStart()
  const toResult = (mutant: Mutant, runs: readonly TestRun[]): MutantResult => {
    const result = judge(mutant, runs)
    const isKnown = accepted.includes(mutant.name) || (allowUnreached && result.verdict === 'not reached')
    if (result.verdict === 'unstable' && result.tests.length === 0)
      tell(runs.find(({ code }) => code !== 0)?.output.trimEnd() ?? '')
    return { ...result, isFinding: result.sentence !== undefined && !isKnown }
  }
  if (failed.length > 0) return { mutants: [toResult(NO_MUTANT, sound)] }
  const limitMs = options.limitMs ?? Math.max(10_000, ...sound.map(({ durationMs }) => 5 * durationMs))
  const results = new Map<Mutant, MutantResult>()
  // Side by side, the longest run is not the last one.
  const longestFirst = mutants.toSorted((a, b) => (b.addedMs ?? 0) - (a.addedMs ?? 0))
  await inLanes(longestFirst, jobs, async (mutant) => {
    const runs: TestRun[] = []
    const isReachable = (mutant.needs ?? []).every((answer) => notes.has(answer))
    // A failure counts if it happens twice.
    while (isReachable && runs.length < 2 && runs[0]?.code !== 0 && !signal.aborted)
      runs.push(await run(mutant.name, limitMs + (mutant.addedMs ?? 0)))
    if (signal.aborted) return
    const result = toResult(mutant, runs)
    results.set(mutant, result)
    tell(`${results.size} of ${mutants.length}: ${mutant.name}: ${result.verdict}`)
  })
  return { mutants: mutants.flatMap((mutant) => results.get(mutant) ?? []) }
}

async function inLanes<T>(items: readonly T[], lanes: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const runLane = async (): Promise<void> => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: lanes }, runLane))
}

function parseAccepted(text: string): string[] {
  const names = text.split('\n').map((line) => line.replace(/(?<!\S)#.*/, '').trim())
  const known = ['', ...listProfilePoints().map(({ name }) => name)]
  for (const name of names) if (!known.includes(name)) findMutant(name)
  return names
}

function judge(mutant: Mutant, runs: readonly TestRun[]): Omit<MutantResult, 'isFinding'> {
  const { name, kind, text } = mutant
  const verdict = toVerdict(kind, runs)
  const tests = listTests(runs)
  const names = tests.length === 0 ? '' : `: ${tests.join('; ')}`
  const sentences: { readonly [Each in Verdict]?: string } = {
    unstable: `Your tests are not stable. With ${name}, some failed by chance${names}.`,
    unnoticed: `${text.replace(':', ' went unnoticed:')}.`,
    ...(kind === 'defect'
      ? { 'not reached': `${text.replace(/^.*?\. /, '')}, so that no request met ${name}.` }
      : {
          noticed: `Your tests depend on ${text}.`,
          'timed out': `Your tests did not end in time (see --timeout) and may depend on ${text}.`,
        }),
  }
  const durationMs = runs.reduce((sum, run) => sum + run.durationMs, 0)
  return { ...mutant, verdict, durationMs, tests, sentence: sentences[verdict] }
}

function toVerdict(kind: Mutant['kind'], runs: readonly TestRun[]): Verdict {
  const isMet = runs.some(({ notes }) => notes.has(ALTERED))
  if (runs.length < 2) return !isMet ? 'not reached' : kind === 'defect' ? 'unnoticed' : 'passed'
  if (runs.every(({ code }) => code === undefined)) return 'timed out'
  return isMet && runs.every(({ code }) => code !== 0) ? 'noticed' : 'unstable'
}

/** The tests that failed in both runs, or else in one. */
function listTests(runs: readonly TestRun[]): string[] {
  const [first = new Set<string>(), second = new Set<string>()] = runs.map(({ failed }) => failed)
  const both = first.intersection(second)
  return [...(both.size > 0 ? both : first.union(second))]
}

const POINTS: readonly Partial<Rules>[] = [
  ...ERROR_ORDERS.slice(1).map((order) => ({ order })),
  { malformedPetId: 404 },
  { quantity: { min: 0, max: 2 ** 31 - 1 } },
  { unknownProperties: 'reject' },
  { otherContentType: 'accept' },
  { challenge: 'omit' },
  { codes: { 400: 'bad', 401: 'no_key', 404: 'no_pet' } },
]

export function listProfilePoints(): Mutant[] {
  return POINTS.map((point) => {
    const name = JSON.stringify(point)
    const text = `what the specification leaves open: the service had the profile ${name}. Make them pass with both`
    return { name, kind: 'open', text }
  })
}
