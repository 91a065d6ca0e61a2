import { type CheckedService, NoAnswer } from './ask.ts'
import { CASES, type Case } from './cases.ts'
import type { Answers } from './find-profile.ts'
import type { Judge } from './judge.ts'
import { type CaseResult, type Evidence, toEvidence } from './report.ts'
import type { RestoredStock } from './restored-stock.ts'
import { createRun, findStatusDeviation, type Run, type RunOutcome } from './run.ts'
import { createSession, Inconclusive } from './session.ts'
import type { ListedPet } from './stock.ts'
import { createStockKeeper } from './stock-keeper.ts'
import type { Survey } from './survey.ts'
import { findDifference, type MirroredExchange, type Twin } from './twin.ts'
import { Undecided } from './update-sequences.ts'

/** Options of `checkService`. */
export interface CheckServiceOptions {
  readonly survey: Survey
  readonly judge: Judge
  /** Whether the service is external, so that this project's own decisions do not bind it. */
  readonly isForeign: boolean
  /** Whether updates may be sent. */
  readonly mayWrite: boolean
  /** A mock that answers the same requests. What it answers alike is no deviation. @default none */
  readonly twin?: Twin | undefined
  /** Whether a difference from the twin fails, and nothing else does. @default false */
  readonly isDiff?: boolean | undefined
  /** @default CASES */
  readonly cases?: readonly Case[]
  /** Aborted at the end of the time. */
  readonly timeout?: AbortSignal | undefined
  /** The file for the original stock. @default none */
  readonly originalsFile?: string | undefined
  /** How long to try to restore the stock of a service that does not respond, in milliseconds. @default 60_000 */
  readonly restorePatienceMs?: number | undefined
  /** Called before each case. */
  readonly onCase?: ((progress: CheckProgress) => void) | undefined
  /** Called after the changed quantities are restored, even if the run is aborted. */
  readonly onRestored?: ((restored: RestoredStock) => void) | undefined
}

/** The progress of a check. */
export interface CheckProgress {
  readonly title: string
  readonly done: number
  readonly count: number
}

/** The results of the cases, and what a profile is derived from. */
export interface CheckedCases {
  readonly results: readonly CaseResult[]
  readonly answers: Answers
  readonly found: Run['found']
}

/**
 * Runs the cases against a service in any state. Finally, even if the run is aborted, it restores every quantity that it
 * changed and verifies that the whole list is as it was before.
 */
export async function checkService(service: CheckedService, options: CheckServiceOptions): Promise<CheckedCases> {
  const { survey, judge, mayWrite, twin, timeout, originalsFile, restorePatienceMs, onRestored, onCase } = options
  const { cases = CASES } = options
  const session = createSession({ service, judge, timeout })
  const keeper = createStockKeeper({
    service,
    originals: survey.pets,
    file: originalsFile,
    patienceMs: restorePatienceMs,
  })
  const run = createRun({ session, survey, keeper, mayWrite, twin })
  const results: CaseResult[] = []
  const answers = new Map<string, MirroredExchange>()
  try {
    for (const each of cases) {
      onCase?.({ title: `${each.operation}: ${each.title}`, done: results.length, count: cases.length })
      results.push(await runCase(each, { ...options, run, service }))
      const [first] = run.exchanges
      if (first !== undefined && !answers.has(each.title)) answers.set(each.title, first)
      run.exchanges.length = 0
    }
  } finally {
    if (keeper.touched.size > 0) {
      const start = performance.now()
      const unconfirmed = [...session.unconfirmed].filter((petId) => keeper.touched.has(petId))
      const { changeable } = survey
      const restored = await keeper.restore(run.stock, { changeable, unconfirmed })
      results.push(toRestoredResult(restored, Math.round(performance.now() - start)))
      onRestored?.(restored)
    }
  }
  return { results, answers, found: run.found }
}

/** The title of the last result of a check with updates. */
export const RESTORED = 'the stock is as it was before the check'

function toRestoredResult({ problem, isUnreachable, left }: RestoredStock, durationMs: number): CaseResult {
  const rows = left.map(
    ({ petId, present, original }) => `Pet ${petId} has ${present ?? 'unknown'} and had ${original}`,
  )
  const verdict = isUnreachable ? 'inconclusive' : 'failed'
  return {
    operation: 'updateInventory',
    case: RESTORED,
    source: 'specification',
    section: '4.2',
    status: 200,
    expected: 200,
    verdict: problem === undefined ? 'passed' : verdict,
    violations: problem === undefined ? [] : [problem, ...rows],
    ...(problem !== undefined && isUnreachable && { reason: [problem, ...rows].join('. ') }),
    durationMs,
  }
}

interface CaseContext extends CheckServiceOptions {
  readonly run: Run
  readonly service: CheckedService
}

/** Runs a case and returns its result. */
async function runCase(each: Case, context: CaseContext): Promise<CaseResult> {
  const { run, twin, isDiff = false, isForeign, service } = context
  const { operation, title, source, section, expected } = each
  const description = { operation, case: title, source, section, expected }
  const obstacle = findObstacle(each, run)
  if (obstacle !== undefined) {
    const skipped = { verdict: 'skipped', violations: [], reason: obstacle, durationMs: 0 } as const
    return { ...description, status: undefined, ...skipped }
  }
  const start = performance.now()
  let outcome: RunOutcome = { status: undefined, deviation: undefined, faults: [] }
  let reason: string | undefined
  try {
    outcome = await perform(each, run)
  } catch (error) {
    if (error instanceof Inconclusive) reason = error.message
    else if (error instanceof NoAnswer) outcome = toFailure(error)
    else if (error instanceof Undecided) return { ...description, ...(await toUndecided(error, run)) }
    else throw error
  }
  const durationMs = Math.round(performance.now() - start)
  const own = run.exchanges
  const { status, deviation, faults } = outcome
  const difference = twin === undefined || isOutside(each, own) ? undefined : findDifference(own, run.apiKey)
  if (difference !== undefined) twin?.load(Array.from(run.stock.pets.values()))
  const isOpen = status !== undefined && each.open?.includes(status) === true
  const isFree = isForeign && (source === 'decision' || isOpen)
  const broken = isDiff ? [] : listViolations(own, isFree && isOpen ? status : undefined)
  const isAccepted = isFree && twin !== undefined && difference === undefined && deviation !== undefined
  const violations = isDiff
    ? toDifferences(difference, status, faults)
    : [...(deviation === undefined || isAccepted ? [] : [deviation]), ...faults, ...broken]
  const isBroken = isDiff ? violations.length > 0 : faults.length > 0 || broken.length > 0
  const deviating = isFree ? 'differs' : 'failed'
  const judged = violations.length > 0 ? deviating : 'passed'
  const unbroken = reason === undefined ? judged : 'inconclusive'
  const verdict = isBroken ? 'failed' : unbroken
  return {
    ...description,
    status,
    verdict,
    violations,
    ...(isAccepted && verdict === 'passed' && { note: `${deviation}, as the profile says` }),
    ...(isDiff && difference !== undefined && { difference }),
    ...(reason !== undefined && { reason }),
    ...(verdict !== 'passed' && !isDiff && { evidence: findEvidence(own, service) }),
    durationMs,
  }
}

/** @param open A status that the specification does not list, and that the case leaves open. */
function listViolations(exchanges: readonly MirroredExchange[], open: number | undefined): readonly string[] {
  return [...new Set(exchanges.flatMap(({ status, violations }) => (status === open ? [] : violations)))]
}

function toDifferences(
  difference: ReturnType<typeof findDifference>,
  status: number | undefined,
  faults: readonly string[],
): readonly string[] {
  if (difference === undefined) return status === undefined ? faults : []
  return [`${difference.request}: ${difference.ours} from the mock, ${difference.theirs} from the service`]
}

/** The exchange that breaks the specification, or the first and the last one. */
function findEvidence(exchanges: readonly MirroredExchange[], service: CheckedService): readonly Evidence[] {
  const broken = exchanges.find(({ violations }) => violations.length > 0)
  const shown = broken === undefined ? [exchanges[0], exchanges.at(-1)] : [broken]
  return [...new Set(shown)].filter((exchange) => exchange !== undefined).map((each) => toEvidence(each, service))
}

function toFailure({ message }: NoAnswer): RunOutcome {
  const sentence = `The service sent no complete response: ${message}`
  return { status: undefined, deviation: undefined, faults: [sentence] }
}

async function toUndecided({ message }: Undecided, run: Run) {
  const petId = run.pet?.petId ?? ''
  await run.findStockFaults({ updated: [petId], ignored: petId })
  return { status: undefined, verdict: 'skipped', violations: [], reason: message, durationMs: 0 } as const
}

/** Whether both sides answer a request outside the contract in a way that the case leaves open. */
function isOutside({ open = [] }: Case, [first]: readonly MirroredExchange[]): boolean {
  return first !== undefined && open.includes(first.status) && open.includes(first.ours?.status ?? 0)
}

/** Why a case cannot run against this service. */
function findObstacle({ operation, pet, key }: Case, run: Run): string | undefined {
  const { mayWrite, changeable, pets, apiKey } = run
  if (operation === 'updateInventory' && !mayWrite) return 'updates are only sent with --write'
  const choice = pet?.(run)
  if (typeof choice === 'string') {
    // Says that `--pet` is why there is no such pet, if it leaves out pets.
    const isAmong = /^(?:there is )?no /.test(choice) && changeable.size > 0 && changeable.size < pets.length
    return isAmong ? `${choice} among those of --pet` : choice
  }
  return key !== undefined && key.of(apiKey) === undefined ? 'the key cannot be changed in this way' : undefined
}

async function perform(each: Case, run: Run): Promise<RunOutcome> {
  const { operation, expected, key, pet, petId, body, contentType, isChunked, rule, sequence } = each
  if (sequence !== undefined) return sequence(run)
  const chosen = pet?.(run) as ListedPet | undefined
  const id = petId?.(run) ?? chosen?.petId
  const text = typeof body === 'function' ? body(run) : body
  const sent = {
    ...key?.of(run.apiKey),
    ...(id !== undefined && { petId: id }),
    ...(typeof text === 'string' && { body: text }),
    ...(operation === 'updateInventory' && {
      contentType: contentType === undefined ? 'application/json' : contentType,
    }),
    ...(isChunked && { isChunked }),
  }
  if (operation === 'updateInventory') return run.update(sent, expected)
  const response = await run.send({ operation, ...sent })
  const deviation = findStatusDeviation(response, expected) ?? rule?.(response)
  return { status: response.status, deviation, faults: [] }
}
