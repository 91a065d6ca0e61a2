import type { CaseResult, CheckReport } from '../check-report.ts'
import { type PaintVerdict, toSkippedLines } from './to-pretty-report.ts'

/** Formats a comparison for people: the differences, with both responses one below the other, and a summary line. */
export function toDiffReport(report: CheckReport, paint: PaintVerdict = (_, text) => text): string {
  const { url, cases, failed, skipped, durationMs } = report
  const seconds = (durationMs / 1000).toFixed(1)
  return [
    ...cases.flatMap((result) => toLines(result, paint)),
    ...toSkippedLines(cases),
    `${failed} of ${cases.length} cases differ, ${skipped} skipped, in ${seconds} s: ${url}`,
  ].join('\n')
}

function toLines(
  { operation, case: title, verdict, difference, violations }: CaseResult,
  paint: PaintVerdict,
): string[] {
  if (verdict !== 'failed') return []
  const heading = paint('red', `${operation}: ${title}`)
  if (difference === undefined) return [heading, ...violations.map((violation) => `  ${violation}.`), '']
  const { request, ours, theirs } = difference
  return [heading, `  request  ${request}`, `  mock     ${ours}`, `  service  ${theirs}`, '']
}
