import type { CaseResult, CheckReport } from '../check-report.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** Formats JUnit XML for CI: one suite, with each case under its operation. */
export function toJunitReport({ url, durationMs, failed, skipped, cases }: CheckReport): string {
  const totals = `tests="${cases.length}" failures="${failed}" errors="0" skipped="${skipped}" time="${toSeconds(durationMs)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="petstore-mock check" ${totals}>`,
    `  <testsuite name="${escapeXml(url ?? 'the mock itself')}" ${totals}>`,
    ...cases.flatMap(toTestCase),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n')
}

function toTestCase(result: CaseResult): string[] {
  const { operation, case: title, durationMs } = result
  const open = `    <testcase classname="${operation}" name="${escapeXml(title)}" time="${toSeconds(durationMs)}"`
  const content = toContent(result)
  return content === undefined ? [`${open}/>`] : [`${open}>`, `      ${content}`, '    </testcase>']
}

/** JUnit has no verdict between passed and failed, so a case that differs passes with its differences as output. */
function toContent({ verdict, violations, reason = '' }: CaseResult): string | undefined {
  const text = escapeXml(violations.map((violation) => `${violation}.`).join('\n'))
  if (verdict === 'skipped') return `<skipped message="${escapeXml(reason)}"/>`
  if (verdict === 'failed') return `<failure message="${escapeXml(violations[0] ?? '')}">${text}</failure>`
  return verdict === 'differs' ? `<system-out>${text}</system-out>` : undefined
}

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? character)
}

function toSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}
