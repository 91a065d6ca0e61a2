export interface JunitSuite {
  readonly command: string
  readonly subject: string
  readonly durationMs: number
  readonly cases: readonly JunitCase[]
  /** The output of the suite. */
  readonly text?: string
}

export interface JunitCase {
  readonly group: string
  readonly name: string
  readonly durationMs: number
  /** `undefined` for a passed case. */
  readonly problem: 'failure' | 'error' | 'skipped' | undefined
  readonly message: string
  readonly text: string
}

/** Writes JUnit XML for CI: one suite of cases. */
export function writeJunit({ command, subject, durationMs, cases, text = '' }: JunitSuite): string {
  const count = (wanted: JunitCase['problem']) => cases.filter(({ problem }) => problem === wanted).length
  const problems = `failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`
  const totals = `tests="${cases.length}" ${problems} time="${toSeconds(durationMs)}"`
  const rows = cases.map((each) => {
    const name = `classname="${escapeXml(each.group)}" name="${escapeXml(each.name)}"`
    return `    <testcase ${name} time="${toSeconds(each.durationMs)}">${writeContent(each)}</testcase>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="petstore-mock ${command}" ${totals}>`,
    `  <testsuite name="${escapeXml(subject)}" ${totals}>`,
    ...rows,
    ...(text === '' ? [] : [`    <system-out>${escapeXml(text)}</system-out>`]),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n')
}

/** JUnit has no verdict between passed and failed: what a passed case has to say is its output. */
function writeContent({ problem, message, text }: JunitCase): string {
  if (problem !== undefined) return `<${problem} message="${escapeXml(message)}">${escapeXml(text)}</${problem}>`
  return text === '' ? '' : `<system-out>${escapeXml(text)}</system-out>`
}

function toSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}
