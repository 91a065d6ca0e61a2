import * as v from 'valibot'
import { OPERATIONS, type OperationId } from '../contract/operations.gen.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import { must, object, oneOf, type Schema, string } from '../http/schema.ts'
import type { CaseResult, CheckReport } from './report.ts'

/** What the mock's rules are based on: the content of the file of `petstore-mock check URL --record FILE`. */
export interface Fidelity {
  readonly description?: string
  readonly rules: readonly FidelityRule[]
}

export interface FidelityRule {
  readonly operation: OperationId
  /** The rule in a few words: `petId abc is 400`. */
  readonly rule: string
  /** Whether the rule is from the specification, or a decision of this project where the specification is silent. */
  readonly basis: 'specified' | 'decided here'
  /** When a real service was last seen to behave so, or otherwise. Missing if none was. */
  readonly seen?: FidelityObservation
}

export interface FidelityObservation {
  /** The URL of the service, without credentials. */
  readonly url: string
  /** The day, in UTC: `2026-11-22`. */
  readonly date: string
  /** Whether the service behaves as the rule says. */
  readonly verdict: 'same' | 'different'
}

const OBSERVATION: Schema<FidelityObservation> = object<FidelityObservation>({
  url: string,
  date: v.pipe(string, v.isoDate(must('a day such as 2026-11-22'))),
  verdict: oneOf(['same', 'different']),
})

/** The content of the file of `check --record`. */
export const FIDELITY: Schema<Fidelity> = object<Fidelity>({
  description: v.optional(string),
  rules: v.array(
    object<FidelityRule>({
      operation: oneOf(OPERATIONS.map(({ id }) => id)),
      rule: string,
      basis: oneOf(['specified', 'decided here']),
      seen: v.optional(OBSERVATION),
    }),
    must('an array of rules'),
  ),
})

/** What a record is made from. */
interface RecordOptions {
  readonly report: CheckReport
  /** The previous record, whose observations are kept for rules that were not checked this time. */
  readonly before: Fidelity | undefined
  /** The day of the check, in UTC: `2026-11-22`. */
  readonly date: string
}

/** Records for each rule what it is based on, and how the service was seen to behave. */
export function recordFidelity({ report, before, date }: RecordOptions): Fidelity {
  const toId = ({ operation, rule }: Pick<FidelityRule, 'operation' | 'rule'>): string => `${operation} ${rule}`
  // Rules of another release, or that were not checked, stay: a shared file must survive a run of this one.
  const rules = new Map(before?.rules.map((rule) => [toId(rule), rule]))
  for (const result of report.cases) {
    const { operation, case: rule, source } = result
    const id = toId({ operation, rule })
    const seen = toObservation(result, { url: report.url ?? '', date }) ?? rules.get(id)?.seen
    const basis = source === 'specification' ? 'specified' : 'decided here'
    rules.set(id, { operation, rule, basis, ...(seen !== undefined && { seen }) })
  }
  return { ...before, rules: [...rules.values()] }
}

/** A request without a response shows nothing, and neither does an outage. */
function toObservation(
  { status, verdict, findings }: CaseResult,
  { url, date }: { readonly url: string; readonly date: string },
): FidelityObservation | undefined {
  if (status === undefined || verdict === 'skipped' || verdict === 'inconclusive') return undefined
  const isSame = verdict === 'passed' && !findings.some(({ cause }) => cause === 'profile')
  return { url: hideInAddress(url), date, verdict: isSame ? 'same' : 'different' }
}

/** The rules whose observation is older than a number of days. */
export function findOldObservations(
  { rules }: Fidelity,
  { days, date }: { days: number; date: string },
): readonly Required<FidelityRule>[] {
  const isOld = (rule: FidelityRule): rule is Required<FidelityRule> =>
    rule.seen !== undefined && (Date.parse(date) - Date.parse(rule.seen.date)) / 86_400_000 > days
  return rules.filter(isOld)
}
