import { expect } from 'vitest'
import { runCheck } from '../../src/check/run-check.ts'
import { startService } from './services/plain-service.ts'

/**
 * Stops checks with updates at every so many requests; each has to leave the stock as it was. Updates and lists take turns, so
 * that an odd number meets both.
 */
export async function stopAtEvery(distance: number): Promise<void> {
  const count = await checkUntil(Number.POSITIVE_INFINITY)
  expect(count).toBeGreaterThan(100)
  const moments = Array.from({ length: Math.ceil(count / distance) }, (_, index) => 1 + distance * index)
  // Most of the time of a check is waiting.
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let last = moments.shift(); last !== undefined; last = moments.shift()) await checkUntil(last)
    }),
  )
}

/** Checks with updates until the request with this number is on its way; returns how many requests there were. */
async function checkUntil(last: number): Promise<number> {
  await using service = await startService()
  const before = service.stock()
  const stop = new AbortController()
  let sent = 0
  service.onRequest = () => {
    sent += 1
    if (sent === last) stop.abort()
  }
  const options = { url: service.url, apiKey: service.apiKey, write: true, lateMs: 0, signal: stop.signal }
  await runCheck(options).catch((error: unknown) => {
    if (error !== stop.signal.reason) throw error
  })
  expect({ last, stock: service.stock() }).toEqual({ last, stock: before })
  return sent
}
