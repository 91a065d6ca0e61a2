import * as fc from 'fast-check'
import { test } from 'vitest'
import { expectWholeReport } from '../check/expect-whole-report.ts'
import { HARMFUL } from '../check/services/damaging.ts'

// A file of its own, so that it runs beside damage.test.ts.
test('after a check of services that do two harmful things, the stock is as before, or the report lists how it differs', async () => {
  const two = fc.tuple(fc.constantFrom(...HARMFUL), fc.constantFrom(...HARMFUL))
  const services = fc.sample(two, { numRuns: 60, seed: 7 })
  await Promise.all(
    services.map(([[, first], [, second]]) =>
      expectWholeReport((base, service) => {
        Object.assign(service, first(base, service))
        return second({ ...service }, service)
      }),
    ),
  )
}, 600_000)
