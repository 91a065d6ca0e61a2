import { describe, expect, test } from 'vitest'
import { expectWholeReport } from './expect-whole-report.ts'
import { DAMAGING } from './services/damaging.ts'

// Eleven moments of each harm: test/long/check.test.ts.
describe.concurrent('after a check, the stock is as before, or the report lists how it differs, of a service that', () => {
  test.each(Object.entries(DAMAGING))('%s', async (_, vary) => {
    const { report, changed } = await expectWholeReport(vary)
    // Another client may have changed one pet, and two are doubtful.
    if (changed.length > 2) expect(report.verdict).not.toBe('kept')
  })
})
