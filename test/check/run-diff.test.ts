import { describe, expect, test } from 'vitest'
import type { CheckReport } from '../../src/check/report.ts'
import { formatReport } from '../../src/check/reporters.ts'
import { type RunCheckOptions, runCheck } from '../../src/check/run-check.ts'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { OTHER_DECISIONS, serveOther } from './other-service.ts'

const runDiff = async (options: RunCheckOptions): Promise<CheckReport> =>
  (await runCheck({ ...options, diff: true })).report

const toDiffReport = (report: CheckReport): string => formatReport(report, { reporter: 'pretty' })

function listDifferences({ cases }: CheckReport): Readonly<Record<string, string>> {
  const failed = cases.filter(({ verdict }) => verdict === 'failed')
  return Object.fromEntries(
    failed.map(({ operation, case: title, findings, evidence }) => [
      `${operation}: ${title}`,
      `${evidence?.request} ${findings[0]?.message}`,
    ]),
  )
}

describe('runDiff', () => {
  test('finds no difference between two mocks', async () => {
    await using server = await serve(createMock({ fixture: 'int64-edges', apiKeys: ['own'] }))
    const report = await runDiff({ url: server.url, apiKey: 'own', write: true })
    expect(listDifferences(report)).toEqual({})
    expect(report).toMatchObject({ url: `${server.url}/v1`, failed: 0, differs: 0 })
  })

  test('shows the first difference of each case, and restores the stock', async () => {
    await using service = await serveOther()
    const before = structuredClone(service.pets)
    const report = await runDiff({ url: service.url, write: true })
    const [noKey, malformed, negative] = ['no key is 401', 'petId abc is 400', 'a negative quantity is 200'].map(
      (title) => listDifferences(report)[`updateInventory: ${title}`],
    )
    expect(noKey).toMatch(
      /inventory\/3' -H 'content-type: application\/json' --data-binary '\{"quantity":\d+\}' The mock responds 401 \{"code":"unauthorized","status":401\}, the service 401 \{"code":"E_KEY","status":401\}, without WWW-Authenticate: Bearer$/,
    )
    expect(malformed).toMatch(
      /inventory\/abc' .*"\$API_KEY".*The mock responds 400 \{"code":"invalid_request","status":400\}, the service 404 /,
    )
    expect(negative).toMatch(/'\{"quantity":-3\}' The mock responds 200 pet, the service 400 \{"code":"E_INVALID"/)
    expect(Object.keys(listDifferences(report))).not.toContain('updateInventory: a new quantity is echoed and listed')
    expect(service.pets).toEqual(before)
  })

  test('every decision that a case checks has a point in the profile', async () => {
    const { codes: _, ...decisions } = OTHER_DECISIONS
    await using service = await serveOther({ decisions: { ...decisions, quantity: { min: 1, max: 9999 } } })
    const { cases } = await runDiff({ url: service.url, write: true })
    const same = cases.filter(({ source, verdict }) => source === 'decision' && verdict !== 'failed')
    // A number beyond 2^53 could not be echoed exactly, so that no mock can accept it.
    expect(
      same
        .map((each) => each.case)
        .filter((title) => !/^quantity (?:2\^53(?:\+1)?|1e400) is 400$|^a path behind/.test(title)),
    ).toEqual([])
  })

  test('shows a pet that only one list has right, and goes on from the stock of the service', async () => {
    let updates = 0
    await using service = await serveOther({
      decisions: {},
      tamper({ method, pets }) {
        const [, second] = pets
        updates += method === 'PATCH' ? 1 : 0
        // The first update, and four pairs of others, which show that no other client does this.
        if (method === 'PATCH' && updates <= 9 && second !== undefined) second.quantity += 1
        return undefined
      },
    })
    const report = await runDiff({ url: service.url, write: true })
    const [first, ...others] = report.cases.filter(({ verdict }) => verdict === 'failed')
    expect(first).toMatchObject({
      case: 'the quantity that a pet has is 200',
      findings: [{ message: 'The next list shows quantity 5 for pet 9007199254740993 and should show 4' }],
      evidence: { request: expect.stringContaining('curl -X PATCH') },
    })
    expect(others).toEqual([])
  })

  test('updates the same pets on both sides, with quantities that the service accepts', async () => {
    await using service = await serveOther({ decisions: { quantity: { min: 1, max: 20 } } })
    const before = structuredClone(service.pets)
    const report = await runDiff({ url: service.url, write: true })
    expect(Object.keys(listDifferences(report))).toEqual([
      'updateInventory: the quantity that a pet has is 200',
      'updateInventory: a new quantity is echoed and listed',
      'updateInventory: a pet that is available stays so with quantity 0',
      'updateInventory: a pet that is pending stays so with quantity 0',
      'updateInventory: every quantity of the accepted range is echoed',
      'updateInventory: quantity 0 is 200',
      'updateInventory: a negative quantity is 200',
      'updateInventory: quantity 2^53−1 is 200',
    ])
    expect(service.pets).toEqual(before)
  })

  test('never shows the key, whatever the service repeats', async () => {
    const secret = 'own-secret-key'
    await using service = await serveOther({
      apiKey: secret,
      decisions: { codes: { 401: secret, 400: btoa(`${secret}:`) } },
    })
    const report = await runDiff({ url: service.url, apiKey: secret, write: true })
    const shown = JSON.stringify(report) + toDiffReport(report)
    expect(report.failed).toBeGreaterThan(0)
    expect(shown).toContain('(hidden)')
    expect(shown).not.toContain(secret)
    expect(shown).not.toContain(btoa(`${secret}:`))
  })

  test('reports for people put both responses above the request', async () => {
    await using service = await serveOther({ decisions: { codes: { 401: 'E' } } })
    const text = toDiffReport(await runDiff({ url: service.url, write: false }))
    expect(text).toContain(`failed: listInventory: no key is 401 (specification, 4.1, 5)
  The mock responds 401 {"code":"unauthorized","status":401}, the service 401 {"code":"E","status":401}.
  $ curl -X GET '${service.url}/v1/inventory'
    401 {"code":"E",`)
    expect(text).toMatch(/^skipped: \d+ cases: updates are only sent with --write\.$/m)
    expect(text).toMatch(/\n\d+ passed, \d+ failed, .* of \d+ cases in \d+\.\d s: http:\S+$/)
  })
})
