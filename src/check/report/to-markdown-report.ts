import type { CaseResult, CheckReport } from '../check-report.ts'

/** Formats a report for a pull request or job summary: problems first, then all cases in a collapsed section. */
export function toMarkdownReport({ url, cases, ...report }: CheckReport): string {
  const counts = (['passed', 'failed', 'differs', 'skipped'] as const).map((verdict) => `${report[verdict]} ${verdict}`)
  const remarks = cases.filter(({ verdict }) => verdict === 'failed' || verdict === 'differs')
  return [
    `## petstore-mock check: ${report.failed === 0 ? 'passed' : 'failed'}`,
    '',
    `${counts.join(', ')} of ${cases.length} cases: ${url === undefined ? 'the mock itself' : `\`${url}\``}`,
    '',
    ...(remarks.length === 0 ? [] : [...toTable(remarks), '']),
    '<details><summary>All cases</summary>',
    '',
    ...toTable(cases),
    '',
    '</details>',
  ].join('\n')
}

function toTable(cases: readonly CaseResult[]): string[] {
  return ['| operation | case | status | verdict | remarks |', '| --- | --- | --- | --- | --- |', ...cases.map(toRow)]
}

function toRow({ operation, case: title, status, verdict, violations, reason }: CaseResult): string {
  const remarks = reason === undefined ? violations : [reason]
  const cells = [operation, title, String(status ?? ''), verdict, remarks.map((each) => `${each}.`).join(' ')]
  return `| ${cells.map(escapeCell).join(' | ')} |`
}

/** Text from a service must not end a table cell or become markup. */
function escapeCell(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\`*_<>[\]|&]/g, (character) => `\\${character}`)
}
