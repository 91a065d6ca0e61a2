import type { OperationId } from '../operations/define-operation.ts'
import type { CaseSource } from './conformance/conformance-case.ts'

export const VERDICTS = ['passed', 'failed', 'differs', 'skipped'] as const

/**
 * How a case ended. `differs`: a service of somebody else's does not do what this project decided where the
 * specification is silent, and breaks no rule by it.
 */
export type Verdict = (typeof VERDICTS)[number]

/** One case and how it ended. */
export interface CaseResult {
  readonly operation: OperationId
  readonly case: string
  readonly source: CaseSource
  /** The HTTP status that came; `undefined` where none did. */
  readonly status: number | undefined
  readonly expected: number
  readonly verdict: Verdict
  /** What is wrong, or different, in sentences. */
  readonly violations: readonly string[]
  /** Why the case was skipped. */
  readonly reason?: string
  readonly durationMs: number
}

/** What a check found, with the number of cases of each verdict. It has failed where `failed` is not 0. */
export interface CheckReport extends Readonly<Record<Verdict, number>> {
  /** The address that was checked; `undefined` for a mock made for the check. */
  readonly url: string | undefined
  readonly durationMs: number
  readonly cases: readonly CaseResult[]
}

export function createReport({ url, durationMs, cases }: Omit<CheckReport, Verdict>): CheckReport {
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
