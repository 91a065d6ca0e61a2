import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkService } from '../../src/check/check-service.ts'
import { surveyService } from '../../src/check/conformance/survey.ts'
import { type Judge, startJudge } from '../../src/check/judge.ts'
import { MockError } from '../../src/http/mock-error.ts'
import { BROKEN_KEYS } from './strangers/broken-keys.ts'
import { BROKEN_SHAPES } from './strangers/broken-shapes.ts'
import { BROKEN_STATE } from './strangers/broken-state.ts'
import { BROKEN_UPDATES } from './strangers/broken-updates.ts'
import { SOUND_STRANGERS } from './strangers/sound-strangers.ts'
import { type RunningStranger, type Stranger, startStranger } from './strangers/stranger-service.ts'

/** Not found yet, or the stock is not put back yet: the work to do. */
const TO_DO: readonly string[] = [
  'keys are compared without regard to case',
  'a key may have anything behind it',
  'the first eight characters of a key are enough',
  'a quantity beyond 2^53 is rounded to a double',
  'a petId in the body wins over the path',
  'a status in the body is stored',
  'chunked request bodies are taken as empty',
  'a quantity that is stored already is 404',
  'an id beyond 32 bits is 500',
  'quantities are added up instead of set',
  'every second update of a pet is lost',
  'ids are compared as doubles',
  'the next pet gets one less at each update',
  'of two updates at once one is lost',
  'a sold pet that gets stock is available',
  'an updated pet is listed twice',
  'the first list after an update is empty',
  'the list shows ten pets and links to the rest',
  'ids pass through a double on their way into the list',
]

let judge: Judge

beforeAll(async () => {
  judge = await startJudge()
})
afterAll(async () => {
  await judge.close()
})

describe.each([
  ['keys', BROKEN_KEYS],
  ['updates', BROKEN_UPDATES],
  ['state', BROKEN_STATE],
  ['shapes', BROKEN_SHAPES],
])('a service that breaks the rules of %s', (_, strangers) => {
  test.each(strangers.filter(({ name }) => !TO_DO.includes(name)))('is found: $name', isFound)
  test.fails.each(strangers.filter(({ name }) => TO_DO.includes(name)))('is to be found: $name', isFound)
})

describe('a service that differs only in what the specification allows', () => {
  test.each(SOUND_STRANGERS)('is sound: $name', async (stranger) => {
    const { faults, before, after } = await check(stranger)
    expect(faults).toEqual([])
    expect(after).toEqual(before)
  })
})

async function isFound(stranger: Stranger): Promise<void> {
  const { faults, before, after } = await check(stranger)
  expect(faults).not.toEqual([])
  if (stranger.irreparable === undefined) expect(after).toEqual(before)
}

/** Checks with updates of any pet. An early end of the check is a fault too. */
async function check(
  stranger: Stranger,
): Promise<{ readonly faults: readonly string[]; readonly before: string[]; readonly after: string[] }> {
  await using service = await startStranger(stranger)
  const before = service.stored()
  const faults = await findFaults(service)
  return { faults, before, after: service.stored() }
}

async function findFaults({ url, key }: RunningStranger): Promise<readonly string[]> {
  try {
    const survey = await surveyService({ url, apiKey: key })
    const results = await checkService({ url, apiKey: key, judge }, { survey, isForeign: true, mayWrite: true })
    return results
      .filter(({ verdict }) => verdict === 'failed')
      .map((result) => `${result.case}: ${result.violations.join('; ')}`)
  } catch (error) {
    if (error instanceof MockError && error.code === 'CHECK_FAILED') return [error.message]
    throw error
  }
}
