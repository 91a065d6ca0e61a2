import type { CheckReport } from './check-report.ts'
import { toJunitReport } from './report/to-junit-report.ts'
import { toMarkdownReport } from './report/to-markdown-report.ts'
import { type PaintVerdict, toPrettyReport } from './report/to-pretty-report.ts'

const REPORTERS = ['pretty', 'json', 'junit', 'markdown'] as const

/** The format of a report: a table for people, JSON for programs, JUnit XML for CI, or Markdown for a pull request. */
type Reporter = (typeof REPORTERS)[number]

/** Options of `formatReport`. */
interface ReportFormat {
  readonly reporter: Reporter
  /**
   * Colours the verdicts of the pretty report.
   * @default none
   */
  readonly paint?: PaintVerdict
}

/** Writes a report out, without a line break at its end. */
export function formatReport(report: CheckReport, { reporter, paint = (_, text) => text }: ReportFormat): string {
  const write = { pretty: toPrettyReport, json: toJsonReport, junit: toJunitReport, markdown: toMarkdownReport }
  return write[reporter](report, paint)
}

function toJsonReport(report: CheckReport): string {
  return JSON.stringify(report, null, 2)
}
