import { describe, expect, test } from 'vitest'
import { expectWholeReport } from './expect-whole-report.ts'
import { DAMAGING } from './services/damaging.ts'

const SOME = ['creates an unknown pet', 'loses half of the updates'] as const

// More of them: test/long/damage.test.ts.
describe.concurrent('after a check, the stock is as before, or the report lists how it differs, of a service that', () => {
  test.each(SOME)('%s', async (name) => {
    const { report, changed } = await expectWholeReport(DAMAGING[name])
    // Another client may have changed one pet, and two are doubtful.
    if (changed.length > 2) expect(report.verdict).not.toBe('kept')
  })
})
