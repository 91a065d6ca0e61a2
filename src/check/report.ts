import type { OperationId } from '../contract/operations.gen.ts'
import { escapeControls } from '../http/quote.ts'

/** From the worst to the best. The verdict of a case is that of its worst finding. */
const VERDICTS = ['failed', 'inconclusive', 'differs', 'skipped', 'passed'] as const

/**
 * `differs`: where the specification is silent, an external service behaves differently than this project decided, which
 * breaks no rule. `inconclusive`: an outage, a limit or the end of the time left it open.
 */
export type Verdict = (typeof VERDICTS)[number]

/** What was found out about a case. With `passed`, it is a note. */
export interface Finding {
  readonly verdict: Verdict
  /** A sentence without the full stop. */
  readonly message: string
  /** The same for findings that differ in their numbers alone: they are reported once. */
  readonly cause: string
  /** The place of the response that shows it among those of its case. */
  readonly at?: number | undefined
}

export function fail(cause: string, message: string, at?: number): Finding {
  return { verdict: 'failed', cause, message, at }
}

export function deviate(cause: string, message: string): Finding {
  return { verdict: 'differs', cause, message }
}

/** Ends a case with a finding. */
export class CaseEnd extends Error {
  override readonly name = 'CaseEnd'
  readonly finding: Finding

  constructor(verdict: Verdict, message: string, more: Partial<Finding> = {}) {
    super(message)
    this.finding = { verdict, message, cause: message, ...more }
  }
}

/** What was sent and what came back, so that somebody else can repeat it. */
export interface Evidence {
  /** A command line, with credentials as variables of the shell. */
  readonly request: string
  /** The status and the beginning of the body. */
  readonly response: string
}

/** A case and its result. */
export interface CaseResult {
  readonly operation: OperationId
  readonly case: string
  /** The HTTP status of the response; `undefined` without a response. */
  readonly status: number | undefined
  readonly expected: number
  readonly verdict: Verdict
  readonly findings: readonly Finding[]
  /** The request that shows the first finding is the last one, after those that it needs. */
  readonly evidence?: readonly Evidence[] | undefined
  readonly durationMs: number
}

/** The report of a check, with the number of cases per verdict. */
export interface CheckReport extends Readonly<Record<Verdict, number>> {
  /** The URL that was checked; `undefined` for a mock created for the check. */
  readonly url: string | undefined
  /** `broken` if a case failed, else `inconclusive` if one is. */
  readonly verdict: 'kept' | 'broken' | 'inconclusive'
  /** What an update damaged, as a sentence without the full stop: after that, no update was sent. */
  readonly damage?: string | undefined
  readonly durationMs: number
  /** What decided no case, as sentences: requests that were sent again, slow responses, changes by other clients. */
  readonly seen: readonly string[]
  readonly cases: readonly CaseResult[]
}

/** Text that came from the service cannot control a terminal. */
export function createReport({
  cases: given,
  ...report
}: Pick<CheckReport, 'url' | 'damage' | 'durationMs' | 'seen' | 'cases'>): CheckReport {
  const cases = escapeAll(given)
  const counts = Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, cases.filter((each) => each.verdict === verdict).length]),
  ) as Record<Verdict, number>
  const open = counts.inconclusive > 0 ? 'inconclusive' : 'kept'
  return { ...escapeAll(report), verdict: counts.failed > 0 ? 'broken' : open, ...counts, cases }
}

function escapeAll<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_, each) => (typeof each === 'string' ? escapeControls(each) : each))
}

export function findWorst(findings: readonly Finding[]): Verdict {
  return VERDICTS.find((verdict) => findings.some((each) => each.verdict === verdict)) ?? 'passed'
}

/** The cases that did not pass, with those of the same verdict, statuses and causes in one group. */
export function groupByCause({ cases }: CheckReport): readonly (readonly [CaseResult, ...CaseResult[]])[] {
  const open = cases.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'skipped')
  const groups = Map.groupBy(open, ({ operation, verdict, status, expected, findings }) =>
    [operation, verdict, status, status && expected, ...findings.map(({ cause }) => cause)].join('\n'),
  )
  return Array.from(groups.values(), (group) => group as [CaseResult, ...CaseResult[]])
}
