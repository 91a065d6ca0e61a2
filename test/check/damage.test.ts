import { describe, test } from 'vitest'
import { expectWholeReport } from './expect-whole-report.ts'
import { DAMAGING } from './services/damaging.ts'

const SOME = ['creates an unknown pet', 'loses half of the updates'] as const

// More of them: test/long/damage.test.ts.
describe.concurrent('after a check, the stock is as before, or the report lists how it differs, of a service that', () => {
  test.each(SOME)('%s', (name) => expectWholeReport(DAMAGING[name]))
})
