import { OPERATIONS } from '../contract/operations.gen.ts'
import { PROFILE } from '../inventory/profile.ts'
import { ALTERED, SOUND } from './apply-mutant.ts'
import { findChange, MUTANTS, type Mutant } from './mutants.ts'

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
  /** Whether the tests should have ended otherwise, and the name is not accepted. */
  readonly isFinding: boolean
  readonly durationMs: number
  readonly sentence: string | undefined
}

export interface MutantReport {
  readonly mutants: readonly MutantResult[]
  /** What the contract may answer and no test met, as sentences. */
  readonly unseen: readonly string[]
}

const RED = 'The tests must pass on the sound mock first.'
const LATE = 'The tests took longer than --timeout on the sound mock. Give them more time.'
const UNREACHED = 'No request reached a mock of this version. Use createMock, or send requests to PETSTORE_MOCK_URL.'

interface RunOptions {
  readonly mutants: readonly Mutant[]
  /** Names of mutants, one in each line, with comments after `#`. */
  readonly accepted: string
  readonly jobs: number
  /** @default five times the first run, but at least 10 s */
  readonly limitMs: number | undefined
  readonly run: (mutant: string, limitMs: number | undefined) => Promise<TestRun>
  /** When it aborts, no other run begins, and those that have not ended are left out. */
  readonly signal: AbortSignal
  readonly tell: (sentence: string) => void
}

/**
 * Runs the tests on a sound mock and, if they pass, on every mutant.
 * @returns The output of the first run and what is wrong with it, if it cannot be compared with others.
 */
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
  return { mutants: mutants.flatMap((mutant) => results.get(mutant) ?? []), unseen: listUnseen(first.notes) }
}

function parseAccepted(text: string): string[] {
  const names = text.split('\n').map((line) => line.replace(/#.*/, '').trim())
  const known = ['', ...listProfilePoints().map(({ name }) => name)]
  for (const name of names) if (!known.includes(name)) findChange(name)
  return names
}

/** Tests that fail although no request met the mutant are unreliable: that is `not reached`, too. */
function judge(mutant: Mutant, end: TestRun | undefined, isAccepted: boolean): MutantResult {
  const { name, kind, text } = mutant
  const isReached = end?.notes.has(ALTERED) === true
  const ended = end?.code === 0 ? 'unnoticed' : 'noticed'
  const verdict = end !== undefined && end.code === undefined ? 'timed out' : isReached ? ended : 'not reached'
  const isRed = verdict === 'noticed' || verdict === 'timed out'
  const isWrong = kind === 'defect' ? verdict === 'unnoticed' : isRed
  const missing = `${text.replace(/^.*?\. /, '')}, so that no request met ${name}.`
  const lean = verdict === 'timed out' ? 'did not end in time (see --timeout) and may lean on' : 'lean on'
  const found = kind === 'defect' ? `${text.replace(':', ' went unnoticed:')}.` : `Your tests ${lean} ${text}.`
  const result = { ...mutant, isFinding: isWrong && !isAccepted, durationMs: end?.durationMs ?? 0 }
  if (isWrong && isAccepted) return { ...result, verdict: 'accepted', sentence: undefined }
  if (verdict === 'not reached') return { ...result, verdict, sentence: kind === 'defect' ? missing : undefined }
  const surplus = isAccepted ? `${name} is accepted, but was ${verdict}. It need not be accepted.` : undefined
  return { ...result, verdict, sentence: isWrong ? found : surplus }
}

function listUnseen(notes: ReadonlySet<string>): string[] {
  return OPERATIONS.filter(({ specified }) => specified).flatMap(({ id, statuses }) => {
    const unseen = statuses.filter((status) => !notes.has(`${id} ${status}`))
    if (unseen.length === statuses.length) return [`No test calls ${id}.`]
    return unseen.map((status) => `For your information: no test has seen ${id} answer ${status}.`)
  })
}

/** The schema of a profile, as far as its points are lists of words. */
type Points = Record<string, { readonly default: unknown; readonly wrapped: { readonly options?: unknown[] } }>

const { entries } = (PROFILE as unknown as { readonly pipe: [never, { readonly entries: Points }] }).pipe[1]

const OTHERS = [{ quantity: { min: 0, max: 2 ** 31 - 1 } }, { codes: { 400: 'bad', 401: 'no_key', 404: 'no_pet' } }]

/** A mutant for every other value of every point of a profile. */
export function listProfilePoints(): Mutant[] {
  const words = Object.entries(entries).flatMap(([point, { default: ours, wrapped }]) =>
    (wrapped.options ?? []).filter((value) => value !== ours).map((value) => ({ [point]: value })),
  )
  return [...words, ...OTHERS].map((point) => {
    const name = JSON.stringify(point)
    const text = `what the specification leaves open: the service had the profile ${name}. Make them pass with both`
    return { name, kind: 'open', text }
  })
}
