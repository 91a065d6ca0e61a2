import { escapeControls } from '../http/quote.ts'
import type { OperationId } from '../operations/define-operation.ts'
import type { CaseSource } from './conformance/conformance-case.ts'
import type { Difference } from './diff/find-difference.ts'

const VERDICTS = ['passed', 'failed', 'differs', 'skipped'] as const

/**
 * The result of a case. `differs`: where the specification is silent, an external service behaves differently than this
 * project decided, which breaks no rule.
 */
export type Verdict = (typeof VERDICTS)[number]

/** A case and its result. */
export interface CaseResult {
  readonly operation: OperationId
  readonly case: string
  readonly source: CaseSource
  /** The HTTP status of the response; `undefined` without a response. */
  readonly status: number | undefined
  readonly expected: number
  readonly verdict: Verdict
  /** The errors or differences, as sentences. */
  readonly violations: readonly string[]
  /** The first request that the mock answers differently, in a comparison. */
  readonly difference?: Difference
  /** Why the case was skipped. */
  readonly reason?: string
  readonly durationMs: number
}

/** The report of a check, with the number of cases per verdict. The check failed if `failed` is not 0. */
export interface CheckReport extends Readonly<Record<Verdict, number>> {
  /** The URL that was checked; `undefined` for a mock created for the check. */
  readonly url: string | undefined
  readonly durationMs: number
  readonly cases: readonly CaseResult[]
}

/** The responses of the service are quoted, whatever they hold. */
export function createReport({ url, durationMs, cases: given }: Omit<CheckReport, Verdict>): CheckReport {
  const cases = given.map(({ violations, difference, ...result }) => ({
    ...result,
    violations: violations.map(escapeControls),
    ...(difference !== undefined && {
      difference: { ...difference, ours: escapeControls(difference.ours), theirs: escapeControls(difference.theirs) },
    }),
  }))
  const count = (verdict: Verdict): number => cases.filter((each) => each.verdict === verdict).length
  return {
    url,
    durationMs,
    passed: count('passed'),
    failed: count('failed'),
    differs: count('differs'),
    skipped: count('skipped'),
    cases,
  }
}
