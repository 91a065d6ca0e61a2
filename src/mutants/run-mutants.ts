import { OPERATIONS } from '../contract/operations.gen.ts'
import { PROFILE } from '../inventory/profile.ts'
import { ALTERED, SOUND } from './apply-mutant.ts'
import type { Mutant } from './mutants.ts'

export { findContractChanges } from './contract-changes.ts'
export { MUTANTS } from './mutants.ts'

/** The end of one run of the tests. */
export interface TestRun {
  /** The exit code; `undefined` after the time limit. */
  readonly code: number | undefined
  /** What the mocks noted: operations with their statuses, and whether a mutant did anything. */
  readonly notes: ReadonlySet<string>
  readonly durationMs: number
  readonly output: string
}

export interface MutantResult extends Mutant {
  /** `not reached`: no request met what the mutant does otherwise. */
  readonly verdict: 'noticed' | 'unnoticed' | 'not reached' | 'timed out'
  /** Whether the tests should have ended otherwise, and the name is not accepted. */
  readonly isFinding: boolean
  readonly durationMs: number
  /** What to do, if there is anything. */
  readonly sentence: string | undefined
}

export interface MutantReport {
  readonly mutants: readonly MutantResult[]
  /** What the contract may answer and no test met, as sentences. */
  readonly unseen: readonly string[]
}

interface RunOptions {
  readonly mutants: readonly Mutant[]
  readonly accepted: readonly string[]
  readonly jobs: number
  /** @default five times the first run, but at least 10 s */
  readonly limitMs: number | undefined
  /** Runs the tests on mocks that are this mutant. */
  readonly run: (mutant: string, limitMs: number | undefined) => Promise<TestRun>
  /** Begins no other run when it aborts. */
  readonly signal: AbortSignal
  readonly tell: (sentence: string) => void
}

/**
 * Runs the tests on a sound mock and, if they pass, on every mutant.
 * @returns The output of the first run and what is wrong with it, if it cannot be compared with others.
 */
export async function runMutants(options: RunOptions): Promise<MutantReport | string> {
  const { mutants, accepted, jobs, run, signal, tell } = options
  const first = await run(SOUND, options.limitMs)
  if (first.code !== 0) return `${first.output.trimEnd()}\nThe tests must pass on the sound mock first.`
  if (first.notes.size === 0) return `${first.output.trimEnd()}\nNo request reached a mock of this version.`
  const limitMs = options.limitMs ?? Math.max(10_000, 5 * first.durationMs)
  const results = new Map<Mutant, MutantResult>()
  const waiting = mutants.values()
  const work = async (): Promise<void> => {
    for (const mutant of waiting) {
      if (signal.aborted) return
      const isReachable = mutant.needs.every((answer) => first.notes.has(answer))
      const end = isReachable ? await run(mutant.name, limitMs) : undefined
      const result = judge(mutant, end)
      results.set(mutant, { ...result, isFinding: result.isFinding && !accepted.includes(mutant.name) })
      tell(`${results.size} of ${mutants.length}: ${mutant.name}: ${result.verdict}`)
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return { mutants: mutants.flatMap((mutant) => results.get(mutant) ?? []), unseen: listUnseen(first.notes) }
}

/** Tests that fail although no request met the mutant are unreliable: that is `not reached`, too. */
function judge({ name, kind, text, needs }: Mutant, end: TestRun | undefined): MutantResult {
  const isReached = end?.notes.has(ALTERED) === true
  const ended = end?.code === 0 ? 'unnoticed' : 'noticed'
  const verdict = end !== undefined && end.code === undefined ? 'timed out' : isReached ? ended : 'not reached'
  const isRed = verdict === 'noticed' || verdict === 'timed out'
  const isFinding = kind === 'defect' ? verdict === 'unnoticed' : isRed
  const missing = `${text.replace(/^.*?\. /, '')}, so that no request met ${name}.`
  const found = kind === 'defect' ? `${text.replace(':', ' went unnoticed:')}.` : `Your tests lean on ${text}.`
  const sentence = isFinding ? found : kind === 'defect' && verdict === 'not reached' ? missing : undefined
  return { name, kind, text, needs, verdict, isFinding, durationMs: end?.durationMs ?? 0, sentence }
}

function listUnseen(notes: ReadonlySet<string>): string[] {
  return OPERATIONS.filter(({ specified }) => specified).flatMap(({ id, statuses }) => {
    const unseen = statuses.filter((status) => !notes.has(`${id} ${status}`))
    if (unseen.length === statuses.length) return [`No test calls ${id}.`]
    return unseen.map((status) => `No test has seen ${id} answer ${status}.`)
  })
}

/** The schema of a profile, as far as its points are lists of words. */
type Points = Record<string, { readonly default: unknown; readonly wrapped: { readonly options?: unknown[] } }>

const { entries } = (PROFILE as unknown as { readonly pipe: [never, { readonly entries: Points }] }).pipe[1]

/** Values for the points that are no lists of words. */
const OTHERS = [{ quantity: { min: 0, max: 2 ** 31 - 1 } }, { codes: { 400: 'bad', 401: 'no_key', 404: 'no_pet' } }]

/** A mutant for every other value of every point of a profile. */
export function listProfilePoints(): Mutant[] {
  const words = Object.entries(entries).flatMap(([point, { default: ours, wrapped }]) =>
    (wrapped.options ?? []).filter((value) => value !== ours).map((value) => ({ [point]: value })),
  )
  return [...words, ...OTHERS].map((point) => {
    const name = JSON.stringify(point)
    const text = `what the specification leaves open: the service had the profile ${name}. Make them pass with both`
    return { name, kind: 'open', text, needs: [] }
  })
}
