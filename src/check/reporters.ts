import { cut, escapeControls, joinFirst } from '../http/quote.ts'
import type { MutantReport } from '../mutants/run-mutants.ts'
import type { FoundPoint } from './find-profile.ts'
import { type JunitCase, type JunitSuite, writeJunit } from './junit.ts'
import { type CaseResult, type CheckReport, groupByCause, type Verdict } from './report.ts'

export const REPORTERS = ['pretty', 'json', 'junit'] as const

/** The format of a report: sentences for people, JSON for programs, or JUnit XML for CI. */
type Reporter = (typeof REPORTERS)[number]

type PaintVerdict = (colour: 'red' | 'green' | 'yellow' | 'dim', text: string) => string

interface ReportFormat {
  readonly reporter: Reporter
  /** Colours the verdicts of the pretty report. @default none */
  readonly paint?: PaintVerdict
}

/** Writes a report of `check` or `mutate`, without a line break at its end. */
export function formatReport(
  report: CheckReport | MutantReport,
  { reporter, paint = (_, text) => text }: ReportFormat,
): string {
  if (reporter === 'json') return JSON.stringify(report, null, 2)
  if (reporter === 'junit') return writeJunit('mutants' in report ? toMutantSuite(report) : toCheckSuite(report))
  return 'mutants' in report ? toPrettyMutants(report) : toPrettyCheck(report, paint)
}

/** The start or the end of each report. */
const REPORTS = [
  /^\{.*\n {2}"verdict": "(?:kept|broken|inconclusive)",\n {2}"failed": /s,
  /^\{\n {2}"mutants": \[/,
  /^<\?xml .*\n<testsuites name="petstore-mock /,
  /(?:^|\n)\d+ passed, \d+ failed, .* of \d+ cases in .*\n$/,
  /^(?:Findings|No findings)\n.*\d ms(?: {2}[^\n]*)?\n$/s,
]

/** Whether a text is a report that `check` or `mutate` wrote into a file. */
export function isReport(text: string): boolean {
  return REPORTS.some((pattern) => pattern.test(text))
}

const COLOURS = { passed: 'green', failed: 'red', differs: 'yellow', inconclusive: 'yellow', skipped: 'dim' } as const

/** How many other cases are listed that say the same as the first one. */
const MOST_ALIKE = 5

/** The findings as sentences, and a summary line. */
function toPrettyCheck(report: CheckReport, paint: PaintVerdict): string {
  const problems = groupByCause(report).flatMap(([result, ...others]) => [
    `${paint(COLOURS[result.verdict], result.verdict)}: ${toTitle(result)}`,
    ...[...toSentences(result), ...toEvidenceLines(result)].map((line) => `  ${line}`),
    ...toOthers(result, others),
  ])
  const notes = report.cases
    .filter(({ verdict }) => verdict === 'passed')
    .flatMap((result) => toSentences(result).map((sentence) => `note: ${toTitle(result)}: ${sentence}`))
  const seen = report.seen.length === 0 ? [] : ['seen on the way:', ...report.seen.map((each) => `  ${each}.`)]
  const skipped = Map.groupBy(
    report.cases.filter(({ verdict }) => verdict === 'skipped'),
    ({ findings }) => findings[0]?.message,
  )
  const reasons = Array.from(skipped, ([reason, { length }]) => `skipped: ${count(length, 'case')}: ${reason}.`)
  const basis = report.failed + report.differs === 0 ? [] : [BASIS]
  const { damage } = report
  const top = damage === undefined ? [] : [`${paint('red', 'damage')}: ${damage}. No case sent another update.`]
  return [
    ...[top, problems, notes, seen, reasons, basis].flatMap((lines) => (lines.length === 0 ? [] : [...lines, ''])),
    `${toSummary(report)} in ${(report.durationMs / 1000).toFixed(1)} s: ${toSubject(report)}`,
  ].join('\n')
}

/** Files of this package. */
const BASIS =
  'The specification is spec/openapi.yaml. Where it is silent, the mock decides as docs/behaviour.md says, and a service may differ.'

/** The other cases of a group, with what they say otherwise. An unexpected status may be another bug for each request. */
function toOthers(first: CaseResult, others: readonly CaseResult[]): string[] {
  if (others.length === 0) return []
  const known = toSentences(first)
  const isExpected = first.status === undefined || first.status === first.expected
  const isAlike = isExpected && others.every((each) => `${toSentences(each)}` === `${known}`)
  const shown = isAlike ? others.slice(0, MOST_ALIKE) : others
  const lines = shown.map((each) => {
    const own = toSentences(each).filter((sentence) => !known.includes(sentence))
    return `    ${[toTitle(each), ...own].join(': ')}`
  })
  const more = others.length > shown.length ? [`    and ${others.length - shown.length} more`] : []
  return [`  Also in ${count(others.length, 'other case')}:`, ...lines, ...more]
}

function toTitle({ operation, case: title }: CaseResult): string {
  return `${operation}: ${title}`
}

function toSentences({ findings }: CaseResult): string[] {
  return findings.map(({ message }) => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`)
}

function toEvidenceLines({ evidence = [] }: CaseResult): string[] {
  return evidence.flatMap(({ request, response }) => [`$ ${request}`, `  ${response}`])
}

function toSummary({ passed, failed, differs, inconclusive, skipped, cases }: CheckReport): string {
  const open = inconclusive > 0 ? `, ${inconclusive} inconclusive` : ''
  return `${passed} passed, ${failed} failed, ${differs} differ${open}, ${skipped} skipped of ${cases.length} cases`
}

function toSubject({ url }: CheckReport): string {
  return url ?? 'the mock itself'
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

const PROBLEMS: { readonly [Each in Verdict]?: JunitCase['problem'] } = {
  failed: 'failure',
  inconclusive: 'error',
  skipped: 'skipped',
}

/** Each case under its operation. */
function toCheckSuite(report: CheckReport): JunitSuite {
  const cases = report.cases.map((result) => ({
    group: result.operation,
    name: result.case,
    durationMs: result.durationMs,
    problem: PROBLEMS[result.verdict],
    message: result.findings[0]?.message ?? '',
    text: [...toSentences(result), ...toEvidenceLines(result)].join('\n'),
  }))
  const text = report.seen.map((each) => `${each}.`).join('\n')
  return { command: 'check', subject: toSubject(report), durationMs: report.durationMs, cases, text }
}

/** The findings as sentences, and a table of the mutants. */
function toPrettyMutants({ mutants }: MutantReport): string {
  // Chance comes first, since it makes all other verdicts doubtful.
  const unstable = mutants.filter(({ verdict }) => verdict === 'unstable')
  const list = (wanted: boolean): string[] => {
    const results = [...unstable, ...mutants].filter(({ isFinding }) => isFinding === wanted)
    // One test would meet several mutants.
    return [...new Set(results.flatMap(({ sentence = [] }) => sentence))]
  }
  const [findings, others] = [list(true), list(false)]
  const toSection = (heading: string, sentences: readonly string[]): string[] => [
    heading,
    ...sentences.map((each) => `- ${each}`),
    '',
  ]
  const rows = mutants.map(({ name, kind, verdict, durationMs, tests }) => {
    return [name, kind, verdict, `${durationMs} ms`, joinFirst(tests)]
  })
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const pad = (cell: string, column: number): string => cell.padEnd(widths[column] ?? 0)
  const table = rows.map((row) => row.map(pad).join('  ').trimEnd())
  const found = toSection(findings.length === 0 ? 'No findings' : 'Findings', findings)
  const information = others.length === 0 ? [] : toSection('For your information', others)
  return [...found, ...information, ...table].join('\n')
}

/** Each mutant under its kind. */
function toMutantSuite({ mutants }: MutantReport): JunitSuite {
  const cases = mutants.map(({ name, kind, verdict, durationMs, isFinding, tests, sentence = verdict }) => {
    const skipped = verdict === 'not reached' ? 'skipped' : undefined
    const problem = verdict === 'unstable' ? 'error' : isFinding ? 'failure' : skipped
    return { group: kind, name, durationMs, problem, message: sentence, text: tests.join('\n') } as const
  })
  const durationMs = mutants.reduce((sum, mutant) => sum + mutant.durationMs, 0)
  return { command: 'mutate', subject: 'the mutants', durationMs, cases }
}

/** The points of a profile that differ; where one is written, also those that are unknown. */
export function formatPoints(points: readonly FoundPoint[], isWritten: boolean): string {
  const unknown = points.filter(({ theirs }) => theirs === undefined)
  const different = points.filter(({ ours, theirs }) => theirs !== undefined && ours !== theirs)
  const lines = different.map(
    ({ point, ours, theirs }) => `${point}: ${escapeControls(cut(String(theirs)))}, where the mock has ${ours}`,
  )
  if (!isWritten) return lines.join('\n')
  return [
    ...lines,
    ...unknown.map(({ point, reason = '' }) => `unknown: ${point}: ${escapeControls(reason)}.`),
    `${different.length} of ${points.length} points differ, ${unknown.length} are unknown.`,
  ].join('\n')
}
