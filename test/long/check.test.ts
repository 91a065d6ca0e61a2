import { expect, test } from 'vitest'
import { runCheck } from '../../src/check/run-check.ts'
import { BROKEN_OVER_TIME } from '../check/services/broken-over-time.ts'
import { startService } from '../check/services/plain-service.ts'
import { stopAtEvery } from '../check/stop-check.ts'
import { runCli } from '../cli/run-cli.ts'

test.concurrent('the end of the time is announced, with the time that restoring takes at most', async () => {
  await using service = await startService((base) => ({
    answer: (call) => (call.body.includes('613') ? new Promise(() => {}) : base.answer(call)),
  }))
  const flags = ['--write', '--timeout', '3s', '--api-key', service.apiKey]
  const { err } = await runCli('check', service.url, ...flags)
  expect(err).toMatch(/^The time limit is reached\. Restoring the stock, which takes 90 s at most…$/m)
})

test.concurrent('the end of a check waits for a service that takes updates back, and lists what it took back', async () => {
  await using service = await startService(BROKEN_OVER_TIME['undone-after-5s'].vary)
  const { url, apiKey } = service
  const { report } = await runCheck({ url, apiKey, write: true, petIds: ['1'], only: 'six seconds later' })
  const [pet] = service.pets()
  const left = `pet 1 has quantity ${pet?.quantity} and status available, and it had quantity 12 and status available`
  expect(report.cases.at(-1)?.findings).toMatchObject([{ message: `Changed and not restored: ${left}` }])
})

test('a check that is stopped at every fifth request leaves the stock as it was', () => stopAtEvery(5), 600_000)
