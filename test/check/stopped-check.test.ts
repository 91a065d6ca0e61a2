import { describe, expect, test } from 'vitest'
import { checkService } from '../../src/check/check-service.ts'
import { LENIENT_JUDGE } from '../../src/check/judge.ts'
import { surveyService } from '../../src/check/survey.ts'
import { SOUND_STRANGERS } from './strangers/sound-strangers.ts'
import { type Stranger, startStranger } from './strangers/stranger-service.ts'

const [PLAIN] = SOUND_STRANGERS as readonly [Stranger, ...Stranger[]]

/** Checks with updates until the request with this number is on its way; returns how many requests there were. */
async function checkUntil(last: number): Promise<number> {
  await using service = await startStranger(PLAIN)
  const { url, key: apiKey } = service
  const before = service.stored()
  const { service: checked, survey } = await surveyService({ url, apiKey })
  const stop = new AbortController()
  let sent = 0
  service.onRequest = () => {
    sent += 1
    if (sent === last) stop.abort()
  }
  const options = { survey, judge: LENIENT_JUDGE, isForeign: true, mayWrite: true }
  await checkService({ ...checked, signal: stop.signal }, options).catch((error: unknown) => {
    if (error !== stop.signal.reason) throw error
  })
  expect({ last, stored: service.stored() }).toEqual({ last, stored: before })
  return sent
}

describe('a check that is stopped', () => {
  test('at every third request leaves the stock as it was', async () => {
    const count = await checkUntil(Number.POSITIVE_INFINITY)
    expect(count).toBeGreaterThan(100)
    // Updates and lists take turns, so that three requests apart are one of each.
    for (let last = 1; last <= count; last += 3) await checkUntil(last)
  })
})
