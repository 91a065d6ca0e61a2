import { test } from 'vitest'
import { expectWholeReport } from '../check/expect-whole-report.ts'
import { HARMFUL } from '../check/services/damaging.ts'

test.concurrent.each(HARMFUL)(
  'after a check of a service that %s, the stock is as before, or the report lists how it differs',
  (_, vary) => expectWholeReport(vary),
  600_000,
)
