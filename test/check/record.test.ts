import { describe, expect, test } from 'vitest'
import { CASES } from '../../src/check/cases.ts'
import { findOldObservations, recordFidelity } from '../../src/check/record.ts'
import { type CaseResult, createReport, type Verdict } from '../../src/check/report.ts'

const url = 'http://127.0.0.1:4100/v1'

function report(verdicts: Readonly<Record<string, Verdict>>) {
  const cases = CASES.map(({ operation, title, source, section, expected }): CaseResult => {
    const verdict = verdicts[`${operation} ${title}`] ?? 'skipped'
    const status = verdict === 'skipped' ? undefined : expected
    return { operation, case: title, source, section, status, expected, verdict, findings: [], durationMs: 0 }
  })
  return createReport({ url, durationMs: 0, cases })
}

const VALID = 'listInventory a valid key is 200'
const ABC = 'updateInventory petId abc is 400'
const NEW = { before: undefined, date: '2026-01-01' }
const CHALLENGE = 'listInventory 401 names Bearer in WWW-Authenticate'

function pick(fidelity: ReturnType<typeof recordFidelity>, id: string) {
  return fidelity.rules.find(({ operation, rule }) => `${operation} ${rule}` === id)
}

describe('recordFidelity', () => {
  test('has every rule with its basis, and how the service behaved', () => {
    const fidelity = recordFidelity({ ...NEW, report: report({ [VALID]: 'passed', [CHALLENGE]: 'differs' }) })
    expect(fidelity.rules.length).toBe(CASES.length)
    expect(pick(fidelity, VALID)).toMatchObject({
      basis: 'specified',
      seen: { url, date: '2026-01-01', verdict: 'same' },
    })
    expect(pick(fidelity, CHALLENGE)).toMatchObject({ basis: 'decided here', seen: { verdict: 'different' } })
    expect(pick(fidelity, ABC)).toEqual({
      operation: 'updateInventory',
      rule: 'petId abc is 400',
      basis: 'decided here',
    })
  })

  test('keeps older observations of rules that were not checked again, and rules that this release does not know', () => {
    const first = recordFidelity({ ...NEW, report: report({ [VALID]: 'passed', [ABC]: 'failed' }) })
    const gone = { operation: 'getPet', rule: 'gone', basis: 'specified' } as const
    const second = recordFidelity({
      report: report({ [VALID]: 'passed' }),
      before: { description: 'Theirs', rules: [...first.rules, gone] },
      date: '2026-11-22',
    })
    expect(second.description).toBe('Theirs')
    expect(pick(second, VALID)?.seen?.date).toBe('2026-11-22')
    expect(pick(second, ABC)?.seen).toEqual({ url, date: '2026-01-01', verdict: 'different' })
    expect(second.rules.at(-1)).toEqual(gone)
  })

  test('a request without a response proves nothing', () => {
    const failed = report({ [VALID]: 'failed' })
    const cases = failed.cases.map((result) => ({ ...result, status: undefined }))
    const fidelity = recordFidelity({ ...NEW, report: { ...failed, cases } })
    expect(fidelity.rules.filter(({ seen }) => seen !== undefined)).toEqual([])
  })

  test.each([
    [30, '2026-01-31', []],
    [30, '2026-02-01', [VALID]],
    [0, '2026-01-01', []],
    [0, '2026-01-02', [VALID]],
  ])('an observation of 2026-01-01 with a maximum of %i days on %s', (days, date, old) => {
    const fidelity = recordFidelity({ ...NEW, report: report({ [VALID]: 'passed' }) })
    const found = findOldObservations(fidelity, { days, date })
    expect(found.map(({ operation, rule }) => `${operation} ${rule}`)).toEqual(old)
  })
})
