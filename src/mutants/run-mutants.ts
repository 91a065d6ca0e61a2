import { OPERATIONS } from '../contract/operations.gen.ts'
import { ERROR_ORDERS, type Rules } from '../inventory/profile.ts'
import { ALTERED, SOUND } from './apply-mutant.ts'
import { findMutant } from './contract-changes.ts'
import { MUTANTS, type Mutant } from './mutants.ts'

export { findContractChanges } from './contract-changes.ts'
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
  readonly verdict: 'noticed' | 'unnoticed' | 'not reached' | 'timed out' | 'accepted'
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
const UNREACHED = 'No request reached a mock of this version. Use createMock, or send requests to PETSTORE_MOCK_URL.'

interface RunOptions {
  readonly mutants: readonly Mutant[]
  readonly accepted: string
  readonly jobs: number
  /** @default five times the first run, but at least 10 s */
  readonly limitMs: number | undefined
  readonly run: (mutant: string, limitMs: number | undefined) => Promise<TestRun>
  /** When it aborts, no other run begins, and those that have not ended are left out. */
  readonly signal: AbortSignal
  readonly tell: (sentence: string) => void
}

/** Runs the tests on a sound mock and then on every mutant, or says why the first run cannot be compared with others. */
export async function runMutants(options: RunOptions): Promise<MutantReport | string> {
  const { mutants, jobs, run, signal, tell } = options
  const accepted = parseAccepted(options.accepted)
  const first = await run(SOUND, options.limitMs)
  const problem = first.code === 0 ? UNREACHED : first.code === undefined ? LATE : RED
  if (first.code !== 0 || first.notes.size === 0) return `${first.output.trimEnd()}\n${problem}`
  const limitMs = options.limitMs ?? Math.max(10_000, 5 * first.durationMs)
  const results = new Map<Mutant, MutantResult>()
  // Side by side, the longest run is not the last one.
  const waiting = mutants.toSorted((a, b) => (b.addedMs ?? 0) - (a.addedMs ?? 0)).values()
  const work = async (): Promise<void> => {
    for (const mutant of waiting) {
      const isReachable = (mutant.needs ?? []).every((answer) => first.notes.has(answer))
      const end = isReachable ? await run(mutant.name, limitMs + (mutant.addedMs ?? 0)) : undefined
      if (signal.aborted) return
      const result = judge(mutant, end, accepted.includes(mutant.name))
      results.set(mutant, result)
      tell(`${results.size} of ${mutants.length}: ${mutant.name}: ${result.verdict}`)
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return { mutants: mutants.flatMap((mutant) => results.get(mutant) ?? []), unseen: listUnseen(first.notes, mutants) }
}

function parseAccepted(text: string): string[] {
  const names = text.split('\n').map((line) => line.replace(/#.*/, '').trim())
  const known = ['', ...listProfilePoints().map(({ name }) => name)]
  for (const name of names) if (!known.includes(name)) findMutant(name)
  return names
}

/** Tests that fail although no request met the mutant are unreliable: that is `not reached`, too. */
function judge(mutant: Mutant, end: TestRun | undefined, isAccepted: boolean): MutantResult {
  const { name, kind, text } = mutant
  const isLate = end !== undefined && end.code === undefined
  const ended = end?.code === 0 ? 'unnoticed' : 'noticed'
  const verdict = isLate ? 'timed out' : end?.notes.has(ALTERED) ? ended : 'not reached'
  const isWrong = kind === 'defect' ? verdict === 'unnoticed' : verdict === 'noticed' || isLate
  const result = { ...mutant, isFinding: isWrong && !isAccepted, durationMs: end?.durationMs ?? 0 }
  if (isWrong && isAccepted) return { ...result, verdict: 'accepted', sentence: undefined }
  const lean = isLate ? 'did not end in time (see --timeout) and may lean on' : 'lean on'
  const found = kind === 'defect' ? `${text.replace(':', ' went unnoticed:')}.` : `Your tests ${lean} ${text}.`
  if (isWrong) return { ...result, verdict, sentence: found }
  // A mutant that was not run stands in `unseen`.
  const unmet = `${text.replace(/^.*?\. /, '')}, so that no request met ${name}.`
  const isUnmet = kind === 'defect' && verdict === 'not reached' && end !== undefined
  const surplus = `${name} is accepted, but was ${verdict}. It need not be accepted.`
  return { ...result, verdict, sentence: isAccepted ? surplus : isUnmet ? unmet : undefined }
}

/** What the contract may answer and no test met, and which mutants were not run for that. */
function listUnseen(notes: ReadonlySet<string>, mutants: readonly Mutant[]): string[] {
  const operations = OPERATIONS.filter(({ specified }) => specified)
  const answers = operations.flatMap(({ id, statuses }) => statuses.map((status) => `${id} ${status}`))
  return Array.from(new Set(answers).difference(notes), (answer) => {
    const names = mutants.filter(({ needs }) => needs?.includes(answer)).map(({ name }) => name)
    const fact = `No test has seen ${answer.replace(' ', ' answer ')}`
    return names.length === 0 ? `${fact}.` : `${fact}, so these mutants were not run: ${names.join(', ')}.`
  })
}

const POINTS: { readonly [Point in keyof Rules]: readonly Rules[Point][] } = {
  order: ERROR_ORDERS.slice(1),
  malformedPetId: [404],
  petIdBeyondInt64: [404],
  malformedPetIdOrder: ['first', 'before body'],
  quantity: [{ min: 0, max: 2 ** 31 - 1 }],
  decimalQuantity: ['reject'],
  unknownProperties: ['reject'],
  missingContentType: ['accept'],
  otherContentType: ['accept'],
  lowerCaseScheme: ['reject'],
  challenge: ['omit'],
  codes: [{ 400: 'bad', 401: 'no_key', 404: 'no_pet' }],
}

export function listProfilePoints(): Mutant[] {
  const points = Object.entries(POINTS).flatMap(([point, values]) => values.map((value) => ({ [point]: value })))
  return points.map((point) => {
    const name = JSON.stringify(point)
    const text = `what the specification leaves open: the service had the profile ${name}. Make them pass with both`
    return { name, kind: 'open', text }
  })
}
