import { cut, escapeControls } from '../http/quote.ts'
import type { FoundPoint } from './find-profile.ts'
import { type CaseResult, type CheckReport, type Finding, listFindings, type Verdict } from './report.ts'

export const REPORTERS = ['pretty', 'json', 'junit', 'markdown', 'github'] as const

/**
 * The format of a report: a table for people, JSON for programs, JUnit XML for CI, Markdown for a pull request, or
 * annotations of GitHub Actions.
 */
export type Reporter = (typeof REPORTERS)[number]

/** Colours a text. */
type PaintVerdict = (colour: 'red' | 'green' | 'yellow' | 'dim', text: string) => string

interface ReportFormat {
  readonly reporter: Reporter
  /** Colours the verdicts of the pretty report. @default none */
  readonly paint?: PaintVerdict
  /** Whether the report is a comparison with the mock. @default false */
  readonly isDiff?: boolean
}

/** Writes a report out, without a line break at its end. */
export function formatReport(
  report: CheckReport,
  { reporter, paint = (_, text) => text, isDiff = false }: ReportFormat,
): string {
  if (reporter === 'json') return JSON.stringify(report, null, 2)
  if (reporter === 'junit') return toJunitReport(report)
  if (reporter === 'markdown') return toMarkdownReport(report)
  if (reporter === 'github') return toGithubReport(report)
  return isDiff ? toDiffReport(report, paint) : toPrettyReport(report, paint)
}

const COLOURS = { passed: 'green', failed: 'red', differs: 'yellow', inconclusive: 'yellow', skipped: 'dim' } as const

/** A table of all cases that ran, the findings as sentences, and a summary line. */
function toPrettyReport(report: CheckReport, paint: PaintVerdict): string {
  const cases = report.cases.filter(({ verdict }) => verdict !== 'skipped')
  const [heading = '', ...rows] = toTable([['operation', 'case', 'status', 'verdict'], ...cases.map(toRow)])
  const remarks = listFindings(report).flatMap(toRemarks)
  const notes = cases.flatMap(({ operation, case: title, note }) =>
    note === undefined ? [] : [`note: ${operation}: ${title}: ${note}.`],
  )
  return [
    heading,
    ...rows.map((row) => row.replace(/\b\w+$/, (verdict) => paint(COLOURS[verdict as Verdict], verdict))),
    '',
    ...(remarks.length > 0 ? [...remarks, ''] : []),
    ...(notes.length > 0 ? [...notes, ''] : []),
    ...toSkippedLines(report.cases),
    `${toCounts(report)} of ${report.cases.length} cases in ${toSeconds(report.durationMs, 1)} s: ${toSubject(report)}`,
  ].join('\n')
}

/** The differences, with both responses one below the other, and a summary line. */
function toDiffReport(report: CheckReport, paint: PaintVerdict): string {
  const { cases, failed, skipped, inconclusive, durationMs } = report
  const lines = listFindings(report).flatMap((finding) => {
    const { difference, operation, case: title, violations, reason } = finding.result
    const heading = paint(COLOURS[finding.verdict], `${operation}: ${title}`)
    const others = toOthers(finding)
    if (difference === undefined)
      return [heading, ...[...violations, reason ?? []].flat().map((each) => `  ${each}.`), '']
    const { request, ours, theirs } = difference
    return [heading, `  request  ${request}`, `  mock     ${ours}`, `  service  ${theirs}`, ...others, '']
  })
  const open = inconclusive > 0 ? `, ${inconclusive} inconclusive` : ''
  return [
    ...lines,
    ...toSkippedLines(cases),
    `${failed} of ${cases.length} cases differ${open}, ${skipped} skipped, in ${toSeconds(durationMs, 1)} s: ${toSubject(report)}`,
  ].join('\n')
}

function toRow({ operation, case: title, status, expected, verdict }: CaseResult): string[] {
  if (status === undefined) return [operation, title, 'none', verdict]
  return [operation, title, status === expected ? `${status}` : `${status}, not ${expected}`, verdict]
}

function toTable(rows: readonly string[][]): string[] {
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function toRemarks(finding: Finding): string[] {
  const { operation, case: title, verdict, violations, source, section, evidence = [], reason } = finding.result
  const silent = source === 'decision' ? ', where the specification is silent' : ` (specification, ${section})`
  const sentences = reason === undefined ? violations : [reason]
  return [
    `${verdict}: ${operation}: ${title}${silent}`,
    ...sentences.map((sentence) => `  ${sentence}.`),
    ...evidence.flatMap(({ request, response }) => [`  $ ${request}`, `    ${response}`]),
    ...toOthers(finding),
  ]
}

function toOthers({ others }: Finding): string[] {
  if (others.length === 0) return []
  return [
    `  The same in ${others.length} other case${others.length === 1 ? '' : 's'}:`,
    ...others.map((each) => `    ${each}`),
  ]
}

/** One line for all cases with the same reason. */
function toSkippedLines(cases: readonly CaseResult[]): string[] {
  const skipped = cases.filter(({ verdict }) => verdict === 'skipped')
  const lines = Array.from(
    Map.groupBy(skipped, ({ reason = '' }) => reason),
    ([reason, { length }]) => `skipped: ${length} case${length === 1 ? '' : 's'}: ${reason}.`,
  )
  return lines.length === 0 ? [] : [...lines, '']
}

function toCounts({ passed, failed, differs, inconclusive, skipped }: CheckReport): string {
  const open = inconclusive > 0 ? [`${inconclusive} inconclusive`] : []
  return [`${passed} passed`, `${failed} failed`, `${differs} differ`, ...open, `${skipped} skipped`].join(', ')
}

function toSubject({ url }: CheckReport): string {
  return url ?? 'the mock itself'
}

function toSeconds(milliseconds: number, digits = 3): string {
  return (milliseconds / 1000).toFixed(digits)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** JUnit XML for CI: one suite, with each case under its operation. */
function toJunitReport(report: CheckReport): string {
  const { durationMs, failed, skipped, inconclusive, cases } = report
  const counts = `tests="${cases.length}" failures="${failed}" errors="${inconclusive}" skipped="${skipped}"`
  const totals = `${counts} time="${toSeconds(durationMs)}"`
  const rows = cases.flatMap((result) => {
    const { operation, case: title, durationMs: ms } = result
    const open = `    <testcase classname="${operation}" name="${escapeXml(title)}" time="${toSeconds(ms)}"`
    const content = toContent(result)
    return content === undefined ? [`${open}/>`] : [`${open}>`, `      ${content}`, '    </testcase>']
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="petstore-mock check" ${totals}>`,
    `  <testsuite name="${escapeXml(toSubject(report))}" ${totals}>`,
    ...rows,
    '  </testsuite>',
    '</testsuites>',
  ].join('\n')
}

/** JUnit has no verdict between passed and failed, so a case that differs passes with its differences as output. */
function toContent({ verdict, violations, reason = '', evidence = [] }: CaseResult): string | undefined {
  const shown = evidence.map(({ request, response }) => `$ ${request}\n  ${response}`)
  const text = escapeXml([...violations.map((violation) => `${violation}.`), ...shown].join('\n'))
  if (verdict === 'skipped') return `<skipped message="${escapeXml(reason)}"/>`
  if (verdict === 'inconclusive') return `<error message="${escapeXml(reason)}"/>`
  if (verdict === 'failed') return `<failure message="${escapeXml(violations[0] ?? '')}">${text}</failure>`
  return verdict === 'differs' ? `<system-out>${text}</system-out>` : undefined
}

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? character)
}

const HEADINGS = { kept: 'passed', broken: 'failed', inconclusive: 'inconclusive' } as const

/** Markdown for a pull request or job summary: problems first, then all cases in a collapsed section. */
function toMarkdownReport(report: CheckReport): string {
  const { cases, verdict, url } = report
  const remarks = cases.filter((each) => each.verdict !== 'passed' && each.verdict !== 'skipped')
  return [
    `## petstore-mock check: ${HEADINGS[verdict]}`,
    '',
    `${toCounts(report)} of ${cases.length} cases: ${url === undefined ? toSubject(report) : `\`${url}\``}`,
    '',
    ...(remarks.length === 0 ? [] : [...toMarkdownTable(remarks), '']),
    '<details><summary>All cases</summary>',
    '',
    ...toMarkdownTable(cases),
    '',
    '</details>',
  ].join('\n')
}

function toMarkdownTable(cases: readonly CaseResult[]): string[] {
  const rows = cases.map(({ operation, case: title, status, verdict, violations, reason, note }) => {
    const remarks = [...(reason === undefined ? violations : [reason]), ...(note === undefined ? [] : [note])]
    const cells = [operation, title, String(status ?? ''), verdict, remarks.map((each) => `${each}.`).join(' ')]
    return `| ${cells.map(escapeCell).join(' | ')} |`
  })
  return ['| operation | case | status | verdict | remarks |', '| --- | --- | --- | --- | --- |', ...rows]
}

/** Text from a service must not end a table cell or become markup. */
function escapeCell(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\`*_<>[\]|&]/g, (character) => `\\${character}`)
}

const LEVELS: Readonly<Partial<Record<Verdict, string>>> = {
  failed: 'error',
  inconclusive: 'warning',
  differs: 'notice',
}

/** Workflow commands of GitHub Actions, one for each finding. */
function toGithubReport(report: CheckReport): string {
  const lines = listFindings(report).map((finding) => {
    const { operation, case: title, violations, reason, evidence = [] } = finding.result
    const sentences = reason === undefined ? violations : [reason]
    const shown = evidence.flatMap(({ request, response }) => [`$ ${request}`, `  ${response}`])
    const text = [...sentences.map((each) => `${each}.`), ...shown, ...toOthers(finding)].join('\n')
    const name = escapeCommand(`${operation}: ${title}`).replaceAll(':', '%3A').replaceAll(',', '%2C')
    return `::${LEVELS[finding.verdict] ?? 'notice'} title=${name}::${escapeCommand(text)}`
  })
  return [
    ...lines,
    `petstore-mock check: ${toCounts(report)} of ${report.cases.length} cases: ${toSubject(report)}`,
  ].join('\n')
}

/** https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands */
function escapeCommand(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

/** The points of a profile, as a table. */
export function formatPoints(points: readonly FoundPoint[]): string {
  const known = points.filter(({ theirs }) => theirs !== undefined)
  const unknown = points.filter(({ theirs }) => theirs === undefined)
  const different = known.filter(({ ours, theirs }) => ours !== theirs)
  const show = (value: unknown): string => escapeControls(cut(String(value)))
  return [
    ...toTable([
      ['point', 'the mock', 'the service'],
      ...known.map((each) => [each.point, show(each.ours), show(each.theirs)]),
    ]),
    ...unknown.map(({ point, reason = '' }) => `unknown: ${point}: ${escapeControls(reason)}.`),
    `${different.length} of ${points.length} points differ, ${unknown.length} are unknown.`,
  ].join('\n')
}
