import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { runCheck } from '../../src/check/run-check.ts'
import { expectWholeReport } from '../check/expect-whole-report.ts'
import { BROKEN_OVER_TIME } from '../check/services/broken-over-time.ts'
import { DAMAGING, HARMS, MOMENTS } from '../check/services/damaging.ts'
import { startService, type Vary } from '../check/services/plain-service.ts'
import { stopAtEvery } from '../check/stop-check.ts'
import { runCli } from '../cli/run-cli.ts'

const HARMFUL: readonly (readonly [name: string, vary: Vary])[] = [
  ...Object.entries(DAMAGING),
  ...Object.entries(MOMENTS).flatMap(([moment, at]) =>
    Object.entries(HARMS).map(([name, harm]): [string, Vary] => [`${name} ${moment}`, at(harm)]),
  ),
]

test.concurrent.each(HARMFUL)(
  'after a check of a service that %s, the stock is as before, or the report lists how it differs',
  async (_, vary) => {
    const { report, changed } = await expectWholeReport(vary)
    if (changed.length > 2) expect(report.verdict).not.toBe('kept')
  },
  600_000,
)

test('the same of services that do two such things', async () => {
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

test('the end of the time is announced, with the time that restoring takes at most', async () => {
  await using service = await startService((base) => ({
    answer: (call) => (call.body.includes('613') ? new Promise(() => {}) : base.answer(call)),
  }))
  const flags = ['--write', '--timeout', '3s', '--api-key', service.apiKey]
  const { err } = await runCli('check', service.url, ...flags)
  expect(err).toMatch(/^The time limit is reached\. Restoring the stock, which takes 90 s at most…$/m)
})

test('the end of a check waits for a service that takes updates back, and lists what it took back', async () => {
  await using service = await startService(BROKEN_OVER_TIME['undone-after-5s'].vary)
  const { url, apiKey } = service
  const { report } = await runCheck({ url, apiKey, write: true, petIds: ['1'], only: 'six seconds later' })
  const [pet] = service.pets()
  const left = `pet 1 has quantity ${pet?.quantity} and status available, and it had quantity 12 and status available`
  expect(report.cases.at(-1)?.findings).toMatchObject([{ message: `Changed and not restored: ${left}` }])
})

test('a check that is stopped at every fifth request leaves the stock as it was', () => stopAtEvery(5), 600_000)
