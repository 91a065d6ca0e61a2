import { OPERATIONS } from '../contract/operations.gen.ts'
import { MockError } from '../http/mock-error.ts'
import { ERROR_ORDERS, type Rules } from '../inventory/profile.ts'
import { ALTERED, SOUND } from './apply-mutant.ts'
import { findMutant, MUTANTS, type Mutant } from './mutants.ts'

export { MUTANTS }

export interface TestRun {
  /** The exit code; `undefined` after the time limit. */
  readonly code: number | undefined
  /** What the mocks noted: operations with their statuses, and whether a mutant did anything. */
  readonly notes: ReadonlySet<string>
  readonly durationMs: number
  readonly output: string
}

export interface MutantResult extends Mutant {
  /** `not reached`: no request met what the mutant does otherwise. `accepted`: the tests should have ended otherwise. */
  readonly verdict: 'noticed' | 'unnoticed' | 'passed' | 'not reached' | 'timed out' | 'accepted' | 'interrupted'
  readonly isFinding: boolean
  readonly durationMs: number
  readonly sentence: string | undefined
}

export interface MutantReport {
  readonly mutants: readonly MutantResult[]
  readonly unseen: readonly string[]
}

const RED = 'The tests must pass on the sound mock first.'
const LATE = 'The tests took longer than --timeout on the sound mock. Give them more time.'
const NO_REQUEST = 'This time, no request reached the mock. With --jobs, runs must not share a port or a state file.'
const UNREACHED = 'No request reached a mock of this version. Use createMock, or send requests to PETSTORE_MOCK_URL.'

interface RunOptions {
  readonly mutants: readonly Mutant[]
  readonly accepted: string
  readonly jobs: number
  readonly limitMs: number | undefined
  readonly run: (mutant: string, limitMs: number | undefined, stop: AbortSignal) => Promise<TestRun>
  readonly signal: AbortSignal
  readonly tell: (sentence: string) => void
}

/** Runs the tests on a sound mock and then on every mutant, or says why the first run cannot be compared with others. */
export async function runMutants(options: RunOptions): Promise<MutantReport | string> {
  const { mutants, jobs, run, signal, tell } = options
  const accepted = parseAccepted(options.accepted)
  const first = await run(SOUND, options.limitMs, signal)
  const problem = first.code === 0 ? UNREACHED : first.code === undefined ? LATE : RED
  if (first.code !== 0 || first.notes.size === 0) return `${first.output.trimEnd()}\n${problem}`.trimStart()
  const limitMs = options.limitMs ?? Math.max(10_000, 5 * first.durationMs)
  const rest = { verdict: 'interrupted', isFinding: false, durationMs: 0, sentence: undefined } as const
  const results = new Map<Mutant, MutantResult>(mutants.map((mutant) => [mutant, { ...mutant, ...rest }]))
  let done = 0
  const failure = new AbortController()
  const stop = AbortSignal.any([signal, failure.signal])
  // Side by side, the longest run is not the last one.
  const waiting = mutants.toSorted((a, b) => (b.addedMs ?? 0) - (a.addedMs ?? 0)).values()
  const work = async (): Promise<void> => {
    for (const mutant of waiting) {
      const isReachable = (mutant.needs ?? []).every((answer) => first.notes.has(answer))
      const end = isReachable ? await run(mutant.name, limitMs + (mutant.addedMs ?? 0), stop) : undefined
      if (stop.aborted) return
      if (end?.code !== undefined && end.notes.isSubsetOf(new Set(['announced'])))
        throw new MockError('INVALID_OPTION', `${end.output.trimEnd()}\n${NO_REQUEST}`)
      const result = judge(mutant, end, accepted.includes(mutant.name))
      results.set(mutant, result)
      tell(`${++done} of ${mutants.length}: ${mutant.name}: ${result.verdict}`)
    }
  }
  await Promise.all(Array.from({ length: jobs }, () => work().catch((error: unknown) => failure.abort(error))))
  failure.signal.throwIfAborted()
  const { length } = mutants
  const end = done === length ? [] : [`Interrupted: ${length - done} of ${length} mutants were not run.`]
  return { mutants: [...results.values()], unseen: [...end, ...listUnseen(first.notes)] }
}

function parseAccepted(text: string): string[] {
  const names = text.split('\n').map((line) => line.replace(/(?<!\S)#.*/, '').trim())
  const known = ['', ...listProfilePoints().map(({ name }) => name)]
  for (const name of names) if (!known.includes(name)) findMutant(name)
  return names
}

/** Tests that fail although no request met the mutant are unreliable: that is `not reached`, too. */
function judge(mutant: Mutant, end: TestRun | undefined, isAccepted: boolean): MutantResult {
  const { name, kind, text } = mutant
  const isLate = end !== undefined && end.code === undefined
  const ended = end?.code !== 0 ? 'noticed' : kind === 'defect' ? 'unnoticed' : 'passed'
  const verdict = isLate ? 'timed out' : end?.notes.has(ALTERED) ? ended : 'not reached'
  const isWrong = verdict === 'unnoticed' || (kind !== 'defect' && (verdict === 'noticed' || isLate))
  const result = { ...mutant, isFinding: isWrong && !isAccepted, durationMs: end?.durationMs ?? 0 }
  if (isWrong && isAccepted) return { ...result, verdict: 'accepted', sentence: undefined }
  const depend = isLate ? 'did not end in time (see --timeout) and may depend on' : 'depend on'
  const found = kind === 'defect' ? `${text.replace(':', ' went unnoticed:')}.` : `Your tests ${depend} ${text}.`
  if (isWrong) return { ...result, verdict, sentence: found }
  const unmet = `${text.replace(/^.*?\. /, '')}, so that no request met ${name}.`
  const isUnmet = kind === 'defect' && verdict === 'not reached'
  const surplus = `${name} is accepted, but its verdict is ${verdict}. Remove it from the file of --accept.`
  return { ...result, verdict, sentence: isAccepted ? surplus : isUnmet ? unmet : undefined }
}

function listUnseen(notes: ReadonlySet<string>): string[] {
  const operations = OPERATIONS.filter(({ specified }) => specified)
  const answers = operations.flatMap(({ id, statuses }) => statuses.map((status) => `${id} ${status}`))
  return Array.from(new Set(answers).difference(notes), (each) => `No test has seen ${each.replace(' ', ' answer ')}.`)
}

const POINTS: { readonly [Point in keyof Rules]: readonly Rules[Point][] } = {
  order: ERROR_ORDERS.slice(1),
  malformedPetId: [404],
  quantity: [{ min: 0, max: 2 ** 31 - 1 }],
  unknownProperties: ['reject'],
  otherContentType: ['accept'],
  challenge: ['omit'],
  codes: [{ 400: 'bad', 401: 'no_key', 404: 'no_pet' }],
}

export function listProfilePoints(): Mutant[] {
  const names = Object.entries(POINTS).flatMap(([point, all]) => all.map((each) => JSON.stringify({ [point]: each })))
  return names.map((name) => {
    const text = `what the specification leaves open: the service had the profile ${name}. Make them pass with both`
    return { name, kind: 'open', text }
  })
}
