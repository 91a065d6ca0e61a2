import { cut, escapeControls } from '../http/quote.ts'
import type { FoundPoint } from './find-profile.ts'
import { type CaseResult, type CheckReport, groupByCause } from './report.ts'

export const REPORTERS = ['pretty', 'json', 'junit'] as const

/** The format of a report: sentences for people, JSON for programs, or JUnit XML for CI. */
type Reporter = (typeof REPORTERS)[number]

type PaintVerdict = (colour: 'red' | 'green' | 'yellow' | 'dim', text: string) => string

interface ReportFormat {
  readonly reporter: Reporter
  /** Colours the verdicts of the pretty report. @default none */
  readonly paint?: PaintVerdict
}

/** Writes a report out, without a line break at its end. */
export function formatReport(report: CheckReport, { reporter, paint = (_, text) => text }: ReportFormat): string {
  if (reporter === 'json') return JSON.stringify(report, null, 2)
  if (reporter === 'junit') return toJunitReport(report)
  return toPrettyReport(report, paint)
}

const COLOURS = { passed: 'green', failed: 'red', differs: 'yellow', inconclusive: 'yellow', skipped: 'dim' } as const

/** The findings as sentences, and a summary line. */
function toPrettyReport(report: CheckReport, paint: PaintVerdict): string {
  const problems = groupByCause(report).flatMap(([result, ...others]) => {
    const { verdict, source, section } = result
    const silent = source === 'decision' ? ', where the specification is silent' : ` (specification, ${section})`
    return [
      `${paint(COLOURS[verdict], verdict)}: ${toTitle(result)}${silent}`,
      ...[...toSentences(result), ...toEvidenceLines(result)].map((line) => `  ${line}`),
      ...(others.length === 0 ? [] : [`  The same in ${count(others.length, 'other case')}:`]),
      ...others.map((each) => `    ${toTitle(each)}`),
    ]
  })
  const notes = report.cases
    .filter(({ verdict }) => verdict === 'passed')
    .flatMap((result) => toSentences(result).map((sentence) => `note: ${toTitle(result)}: ${sentence}`))
  const skipped = Map.groupBy(
    report.cases.filter(({ verdict }) => verdict === 'skipped'),
    (result) => toSentences(result)[0],
  )
  const reasons = Array.from(skipped, ([reason, { length }]) => `skipped: ${count(length, 'case')}: ${reason}`)
  return [
    ...[problems, notes, reasons].flatMap((lines) => (lines.length === 0 ? [] : [...lines, ''])),
    `${toSummary(report)} in ${toSeconds(report.durationMs, 1)} s: ${toSubject(report)}`,
  ].join('\n')
}

function toTitle({ operation, case: title }: CaseResult): string {
  return `${operation}: ${title}`
}

function toSentences({ findings }: CaseResult): string[] {
  return findings.map(({ message }) => `${message}.`)
}

function toEvidenceLines({ evidence }: CaseResult): string[] {
  return evidence === undefined ? [] : [`$ ${evidence.request}`, `  ${evidence.response}`]
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

function toSeconds(milliseconds: number, digits = 3): string {
  return (milliseconds / 1000).toFixed(digits)
}

/** JUnit XML for CI: one suite, with each case under its operation. */
function toJunitReport(report: CheckReport): string {
  const { durationMs, failed, skipped, inconclusive, cases } = report
  const counts = `tests="${cases.length}" failures="${failed}" errors="${inconclusive}" skipped="${skipped}"`
  const totals = `${counts} time="${toSeconds(durationMs)}"`
  const rows = cases.map((result) => {
    const name = `classname="${result.operation}" name="${escapeXml(result.case)}"`
    return `    <testcase ${name} time="${toSeconds(result.durationMs)}">${toContent(result)}</testcase>`
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
function toContent(result: CaseResult): string {
  const { verdict, findings } = result
  const text = escapeXml([...toSentences(result), ...toEvidenceLines(result)].join('\n'))
  const message = `message="${escapeXml(findings[0]?.message ?? '')}"`
  if (verdict === 'skipped') return `<skipped ${message}/>`
  if (verdict === 'inconclusive') return `<error ${message}>${text}</error>`
  if (verdict === 'failed') return `<failure ${message}>${text}</failure>`
  return text === '' ? '' : `<system-out>${text}</system-out>`
}

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
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
