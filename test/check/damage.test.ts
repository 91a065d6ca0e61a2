import { describe, expect, test } from 'vitest'
import { expectWholeReport } from './expect-whole-report.ts'
import { DAMAGING, HARMS, MOMENTS } from './services/damaging.ts'

const AT_UPDATES = Object.entries(HARMS).map(
  ([name, harm]) => [`${name} at each update`, MOMENTS['at each update'](harm)] as const,
)
const AT_MOMENTS = Object.entries(MOMENTS).map(
  ([moment, at]) => [`deletes the next pet ${moment}`, at(HARMS['deletes the next pet'])] as const,
)

// All harms at all moments: test/long/check.test.ts.
describe.concurrent('after a check, the stock is as before, or the report lists how it differs, of a service that', () => {
  test.each([...Object.entries(DAMAGING), ...AT_UPDATES, ...AT_MOMENTS])('%s', async (_, vary) => {
    const { report, changed } = await expectWholeReport(vary)
    // Another client may have changed one pet, and two are doubtful.
    if (changed.length > 2) expect(report.verdict).not.toBe('kept')
  })
})
