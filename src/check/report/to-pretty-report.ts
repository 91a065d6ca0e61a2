import type { CaseResult, CheckReport, Verdict } from '../check-report.ts'

const HEADINGS = ['operation', 'case', 'status', 'verdict']

/** Colours a text. */
export type PaintVerdict = (colour: 'red' | 'green' | 'yellow' | 'dim', text: string) => string

const COLOURS = { passed: 'green', failed: 'red', differs: 'yellow', skipped: 'dim' } as const

/** Formats a table of all cases that ran, the problems as sentences, and a summary line. */
export function toPrettyReport(report: CheckReport, paint: PaintVerdict): string {
  const cases = report.cases.filter(({ verdict }) => verdict !== 'skipped')
  const remarks = cases.flatMap(toRemarks)
  const [heading = '', ...rows] = toTable([HEADINGS, ...cases.map(toRow)])
  return [
    heading,
    ...rows.map((row) => row.replace(/\b\w+$/, (verdict) => paint(COLOURS[verdict as Verdict], verdict))),
    '',
    ...(remarks.length > 0 ? [...remarks, ''] : []),
    ...toSkippedLines(report.cases),
    toCounts(report),
  ].join('\n')
}

function toRow({ operation, case: title, status, expected, verdict }: CaseResult): string[] {
  if (status === undefined) return [operation, title, 'none', verdict]
  return [operation, title, status === expected ? `${status}` : `${status}, not ${expected}`, verdict]
}

function toTable(rows: readonly string[][]): string[] {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function toRemarks({ operation, case: title, verdict, violations, source }: CaseResult): string[] {
  if (verdict === 'passed') return []
  const silent = source === 'decision' ? ', where the specification is silent' : ''
  return [`${verdict}: ${operation}: ${title}${silent}`, ...violations.map((sentence) => `  ${sentence}.`)]
}

/** One line for all cases with the same reason. */
export function toSkippedLines(cases: readonly CaseResult[]): string[] {
  const reasons = Map.groupBy(
    cases.filter(({ verdict }) => verdict === 'skipped'),
    ({ reason = '' }) => reason,
  )
  const lines = Array.from(
    reasons,
    ([reason, { length }]) => `skipped: ${length} case${length === 1 ? '' : 's'}: ${reason}.`,
  )
  return lines.length === 0 ? [] : [...lines, '']
}

function toCounts({ url, durationMs, passed, failed, differs, skipped, cases }: CheckReport): string {
  const parts = [`${passed} passed`, `${failed} failed`, `${differs} differ`, `${skipped} skipped`]
  const seconds = (durationMs / 1000).toFixed(1)
  return `${parts.join(', ')} of ${cases.length} cases in ${seconds} s: ${url ?? 'the mock itself'}`
}
