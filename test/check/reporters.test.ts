// @vitest-environment jsdom
import { describe, expect, test } from 'vitest'
import { type CaseResult, createReport, type Verdict } from '../../src/check/report.ts'
import { formatReport, isReport } from '../../src/check/reporters.ts'

const LIST = { operation: 'listInventory' } as const
const UPDATE = { operation: 'updateInventory' } as const

const CASES: readonly CaseResult[] = [
  toResult({ ...LIST, case: 'a valid key should get 200', status: 200, expected: 200 }, 'passed'),
  toResult(
    { ...UPDATE, case: 'quantity "5" should get 400', status: 200, expected: 400 },
    'failed',
    'The status is 200 and should be 400',
    'A message with <b>, & and "quotes"\u001b[31m\ud800\u202e\u009b',
  ),
  toResult(
    { ...UPDATE, case: 'a negative quantity should get 200', status: 400, expected: 200 },
    'differs',
    'The status is 400 and the mock sends 200',
  ),
  toResult(
    { ...UPDATE, case: 'no quantity should get 400', status: undefined, expected: 400 },
    'failed',
    'The service sent no complete response: read ECONNRESET',
  ),
  toResult(
    { ...UPDATE, case: 'the old quantity is set again', status: undefined, expected: 200 },
    'skipped',
    'there is no pet to update',
  ),
]

function toResult(
  result: Omit<CaseResult, 'verdict' | 'findings' | 'durationMs'>,
  verdict: Verdict,
  ...messages: readonly string[]
): CaseResult {
  const findings = messages.map((message) => ({ verdict, message, cause: message }))
  return { ...result, verdict, findings, durationMs: 12.34 }
}

function toUnexpected(title: string, status: number, expected: number): CaseResult {
  const message = `The status is ${status} and should be ${expected}`
  const findings = [{ verdict: 'failed', message, cause: `status ${status}` }] as const
  return { ...UPDATE, case: title, status, expected, verdict: 'failed', findings, durationMs: 1 }
}

function toFailed(title: string, message: string): CaseResult {
  const findings = [{ verdict: 'failed', message, cause: 'the same' }] as const
  return { ...UPDATE, case: title, status: 200, expected: 200, verdict: 'failed', findings, durationMs: 1 }
}

const SEEN = ['7 of 90 requests got no complete response: \u001b[31mother side closed']
const REPORT = createReport({ url: 'http://127.0.0.1:4100/v1', durationMs: 1234, cases: CASES, seen: SEEN })

describe('formatReport', () => {
  test.each(['pretty', 'json', 'junit'] as const)('%s cannot control a terminal', (reporter) => {
    expect(formatReport(REPORT, { reporter })).not.toMatch(/[^\n\P{C}]/u)
  })

  test.each(['pretty', 'json', 'junit'] as const)('%s is known again in a file', (reporter) => {
    expect(isReport(`${formatReport(REPORT, { reporter })}\n`)).toBe(true)
  })

  test.each([
    '{\n  "name": "my-package"\n}\n',
    '<?xml version="1.0"?>\n<testsuites name="vitest tests">\n</testsuites>\n',
    'Findings\n- The kettle is slow\n',
  ])('%j is no report', (text) => {
    expect(isReport(text)).toBe(false)
  })

  test('pretty is what is wrong, and a line that counts', () => {
    expect(formatReport(REPORT, { reporter: 'pretty' })).toBe(
      `
failed: updateInventory: quantity "5" should get 400
  The status is 200 and should be 400.
  A message with <b>, & and "quotes"\\u{1b}[31m\\u{d800}\\u{202e}\\u{9b}.
differs: updateInventory: a negative quantity should get 200
  The status is 400 and the mock sends 200.
failed: updateInventory: no quantity should get 400
  The service sent no complete response: read ECONNRESET.

seen on the way:
  7 of 90 requests got no complete response: \\u{1b}[31mother side closed.

skipped: 1 case: there is no pet to update.

The specification is spec/openapi.yaml. Where it is silent, the mock decides as docs/behaviour.md says, and a service may differ.

1 passed, 2 failed, 1 differ, 1 skipped of 5 cases in 1.2 s: http://127.0.0.1:4100/v1
`.trim(),
    )
  })

  test.each<[string, readonly CaseResult[], readonly string[]]>([
    [
      'an unexpected status names all its cases, apart from those that expect another one',
      [
        ...['"5"', 'null', 'true', '5.5', '[]', '{}', 'NaN'].map((each) => toUnexpected(`quantity ${each}`, 200, 400)),
        toUnexpected('a wrong key', 200, 401),
        { ...toUnexpected('no Content-Type', 200, 400), verdict: 'differs' },
      ],
      [
        '  Also in 6 other cases:',
        '    updateInventory: quantity NaN',
        'failed: updateInventory: a wrong key',
        'differs: updateInventory: no Content-Type',
      ],
    ],
    [
      'sentences that differ are told of each case',
      [1, 2, 3, 4, 5, 6, 7].map((each) => toFailed(`case ${each}`, `The next list shows quantity ${each}`)),
      ['  Also in 6 other cases:', '    updateInventory: case 7: The next list shows quantity 7.'],
    ],
    [
      'of more than five cases that say the same, the others are counted',
      [1, 2, 3, 4, 5, 6, 7].map((each) => toFailed(`case ${each}`, 'The Content-Type is missing')),
      ['  Also in 6 other cases:', '    updateInventory: case 6', '    and 1 more'],
    ],
  ])('%s', (_, cases, expected) => {
    const report = createReport({ url: undefined, durationMs: 0, cases, seen: [] })
    const lines = formatReport(report, { reporter: 'pretty' }).split('\n')
    expect(lines).toEqual(expect.arrayContaining([...expected]))
  })

  test('json is the report', () => {
    expect(JSON.parse(formatReport(REPORT, { reporter: 'json' }))).toEqual(JSON.parse(JSON.stringify(REPORT)))
    expect(REPORT).toMatchObject({ passed: 1, failed: 2, differs: 1, skipped: 1 })
  })

  test('junit is valid XML that says the same', () => {
    const xml = formatReport(REPORT, { reporter: 'junit' })
    const document = new DOMParser().parseFromString(xml, 'application/xml')
    expect(document.querySelector('parsererror')).toBeNull()
    const suite = document.querySelector('testsuites > testsuite')
    expect(suite?.getAttribute('name')).toBe('http://127.0.0.1:4100/v1')
    const counts = ['tests', 'failures', 'errors', 'skipped', 'time'].map((name) => suite?.getAttribute(name))
    expect(counts.join(' ')).toBe('5 2 0 1 1.234')
    const cases = [...(suite?.querySelectorAll('testcase') ?? [])]
    expect(cases.map((each) => [each.getAttribute('classname'), each.getAttribute('name')])).toEqual(
      CASES.map((each) => [each.operation, each.case]),
    )
    const elements = cases.map((each) => each.firstElementChild?.localName ?? 'none')
    expect(elements.join(' ')).toBe('none failure system-out failure skipped')
    expect(cases[1]?.textContent?.trim()).toBe(
      'The status is 200 and should be 400.\nA message with <b>, & and "quotes"\\u{1b}[31m\\u{d800}\\u{202e}\\u{9b}.',
    )
    expect(suite?.querySelector(':scope > system-out')?.textContent).toMatch(/^7 of 90 requests got .* closed\.$/)
    expect(cases[4]?.querySelector('skipped')?.getAttribute('message')).toBe('there is no pet to update')
  })

  test('a mock without an address is called what it is', () => {
    const report = createReport({ url: undefined, durationMs: 0, cases: [], seen: [] })
    expect(formatReport(report, { reporter: 'pretty' })).toMatch(/of 0 cases in 0\.0 s: the mock itself$/)
    expect(formatReport(report, { reporter: 'junit' })).toContain('<testsuite name="the mock itself"')
  })
})
