import { expect, test } from 'vitest'
import { expectWholeReport } from '../check/expect-whole-report.ts'
import { HARMFUL } from '../check/services/damaging.ts'

test.concurrent.each(HARMFUL)(
  'after a check of a service that %s, the stock is as before, or the report lists how it differs',
  async (_, vary) => {
    const { report, changed } = await expectWholeReport(vary)
    if (changed.length > 2) expect(report.verdict).not.toBe('kept')
  },
  600_000,
)
