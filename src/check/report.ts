import { escapeControls } from '../http/quote.ts'
import type { OperationId } from '../operations/define-operation.ts'
import type { CaseSource } from './cases.ts'
import { hideKey } from './keys.ts'
import { type Exchange, toRawRequest } from './session.ts'
import type { Difference } from './twin.ts'

const VERDICTS = ['passed', 'failed', 'differs', 'inconclusive', 'skipped'] as const

/**
 * The result of a case. `differs`: where the specification is silent, an external service behaves differently than this
 * project decided, which breaks no rule. `inconclusive`: an outage, a limit or the end of the time left it open.
 */
export type Verdict = (typeof VERDICTS)[number]

/** What was sent and what came back, so that somebody else can repeat it. */
export interface Evidence {
  /** A command line, with the API key as `$API_KEY`. */
  readonly request: string
  /** The status and the beginning of the body. */
  readonly response: string
}

/** A case and its result. */
export interface CaseResult {
  readonly operation: OperationId
  readonly case: string
  readonly source: CaseSource
  /** The section of the specification. */
  readonly section: string
  /** The HTTP status of the response; `undefined` without a response. */
  readonly status: number | undefined
  readonly expected: number
  readonly verdict: Verdict
  /** The errors or differences, as sentences. */
  readonly violations: readonly string[]
  /** Why a deviation passes, as a sentence. */
  readonly note?: string
  /** The exchanges that show the errors or differences. */
  readonly evidence?: readonly Evidence[]
  /** The first request that the mock answers differently, in a comparison. */
  readonly difference?: Difference
  /** Why the case was skipped or is inconclusive. */
  readonly reason?: string
  readonly durationMs: number
}

/** Several cases with one cause: violations that differ in their numbers alone. */
export interface Finding {
  readonly verdict: Verdict
  /** The first case. */
  readonly result: CaseResult
  /** The titles of the others. */
  readonly others: readonly string[]
}

/** The report of a check, with the number of cases per verdict. */
export interface CheckReport extends Readonly<Record<Verdict, number>> {
  /** The URL that was checked; `undefined` for a mock created for the check. */
  readonly url: string | undefined
  /** `broken` if a case failed, else `inconclusive` if one is. */
  readonly verdict: 'kept' | 'broken' | 'inconclusive'
  readonly durationMs: number
  readonly cases: readonly CaseResult[]
}

/** The responses of the service are quoted, whatever they hold. */
export function createReport({
  url,
  durationMs,
  cases: given,
}: Pick<CheckReport, 'url' | 'durationMs' | 'cases'>): CheckReport {
  const cases = given.map((result) => escapeAll(result))
  const counts = Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, cases.filter((each) => each.verdict === verdict).length]),
  ) as Record<Verdict, number>
  const open = counts.inconclusive > 0 ? 'inconclusive' : 'kept'
  return { url, verdict: counts.failed > 0 ? 'broken' : open, durationMs, ...counts, cases }
}

/** Text that came from a service must not control a terminal. */
function escapeAll<Value>(value: Value): Value {
  if (typeof value === 'string') return escapeControls(value) as Value
  if (Array.isArray(value)) return value.map(escapeAll) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, escapeAll(each)])) as Value
}

/** The cases with remarks, grouped by their cause. */
export function listFindings({ cases }: CheckReport): readonly Finding[] {
  const remarks = cases.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'skipped')
  const groups = Map.groupBy(remarks, ({ verdict, violations, difference, reason }) => {
    const cause = difference === undefined ? [violations, reason] : [difference.ours, difference.theirs]
    return JSON.stringify([verdict, cause]).replaceAll(/-?\d+/g, (digits) =>
      digits.length === 3 && digits < '600' ? digits : '#',
    )
  })
  return Array.from(groups.values(), ([result, ...others]) => ({
    verdict: (result as CaseResult).verdict,
    result: result as CaseResult,
    others: others.map(({ operation, case: title }) => `${operation}: ${title}`),
  }))
}

const LONGEST_BODY = 300

export function toEvidence(
  { request, status, text, json }: Exchange,
  { url, apiKey }: { url: string; apiKey: string },
): Evidence {
  const { method, path, headers, body } = toRawRequest(request, apiKey)
  const lines = Object.entries(headers).map(([name, value]) => ` -H ${quoteForShell(`${name}: ${value}`)}`)
  const data = body === undefined ? '' : ` --data-binary ${quoteForShell(body)}`
  const line = `curl -X ${method} ${quoteForShell(url + path)}${lines.join('')}${data}`
  const pets = Array.isArray(json) && json.length > 3 ? ` (${json.length} entries)` : ''
  const safe = hideKey(text, apiKey)
  const shown = safe.length > LONGEST_BODY ? `${safe.slice(0, LONGEST_BODY)}…` : safe
  return {
    request: hideKey(line.replaceAll(`Bearer ${apiKey}'`, 'Bearer \'"$API_KEY"'), apiKey),
    response: `${status}${pets} ${shown}`,
  }
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
