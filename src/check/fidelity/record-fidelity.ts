import { hideInAddress } from '../../http/hide-credentials.ts'
import type { CaseResult, CheckReport } from '../check-report.ts'
import { CONFORMANCE_PACK } from '../conformance-pack.ts'
import type { Fidelity, FidelityObservation, FidelityRule } from './fidelity.ts'

/** What a record is made from. */
interface RecordOptions {
  /** The report of a check or a comparison of a running service. */
  readonly report: CheckReport
  /** The previous record, whose observations are kept for rules that were not checked this time. */
  readonly before: Fidelity | undefined
  /** The day of the check, in UTC: `2026-11-22`. */
  readonly date: string
}

/** Records for each rule what it is based on, and how the service was seen to behave. */
export function recordFidelity({ report, before, date }: RecordOptions): Fidelity {
  const results = new Map(report.cases.map((result) => [`${result.operation} ${result.case}`, result]))
  const observations = new Map(before?.rules.map(({ operation, rule, seen }) => [`${operation} ${rule}`, seen]))
  const rules = CONFORMANCE_PACK.map(({ operation, title, source }): FidelityRule => {
    const id = `${operation} ${title}`
    const seen = toObservation(results.get(id), { url: report.url ?? '', date }) ?? observations.get(id)
    return {
      operation,
      rule: title,
      basis: source === 'specification' ? 'specified' : 'decided here',
      ...(seen !== undefined && { seen }),
    }
  })
  const known = new Set(rules.map(({ operation, rule }) => `${operation} ${rule}`))
  // Rules of another release: a shared file must survive a run of this one.
  const others = before?.rules.filter(({ operation, rule }) => !known.has(`${operation} ${rule}`)) ?? []
  return {
    ...(before?.description !== undefined && { description: before.description }),
    rules: [...rules, ...others],
  }
}

/** A request without a response shows nothing. */
function toObservation(
  result: CaseResult | undefined,
  { url, date }: { readonly url: string; readonly date: string },
): FidelityObservation | undefined {
  if (result === undefined || result.status === undefined || result.verdict === 'skipped') return undefined
  return { url: hideInAddress(url), date, verdict: result.verdict === 'passed' ? 'same' : 'different' }
}

/** A rule that a service was seen to follow or to break. */
export type ObservedRule = FidelityRule & { readonly seen: FidelityObservation }

const DAY_MS = 86_400_000

/** The rules whose observation is older than a number of days. */
export function findOldObservations(
  { rules }: Fidelity,
  { days, date }: { days: number; date: string },
): readonly ObservedRule[] {
  const isOld = (rule: FidelityRule): rule is ObservedRule =>
    rule.seen !== undefined && (Date.parse(date) - Date.parse(rule.seen.date)) / DAY_MS > days
  return rules.filter(isOld)
}
