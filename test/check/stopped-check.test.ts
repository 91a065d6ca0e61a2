import { test } from 'vitest'
import { stopAtEvery } from './stop-check.ts'

// More of them: test/long/check.test.ts.
test('a check that is stopped at every 25th request leaves the stock as it was', () => stopAtEvery(25))
