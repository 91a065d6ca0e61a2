import { beforeAll, describe, expect, test } from 'vitest'
import { checkService } from '../../src/check/check-service.ts'
import { type Judge, loadJudge } from '../../src/check/judge.ts'
import { surveyService } from '../../src/check/survey.ts'
import { MockError } from '../../src/http/mock-error.ts'
import { BROKEN_IDS } from './strangers/broken-ids.ts'
import { BROKEN_KEYS } from './strangers/broken-keys.ts'
import { BROKEN_QUANTITIES } from './strangers/broken-quantities.ts'
import { BROKEN_SHAPES } from './strangers/broken-shapes.ts'
import { BROKEN_STATE } from './strangers/broken-state.ts'
import { BROKEN_UPDATES } from './strangers/broken-updates.ts'
import { SOUND_STRANGERS } from './strangers/sound-strangers.ts'
import { type RunningStranger, type Stranger, startStranger } from './strangers/stranger-service.ts'

const [PLAIN] = SOUND_STRANGERS as readonly [Stranger, ...Stranger[]]

let judge: Judge

beforeAll(async () => {
  judge = await loadJudge()
})

describe.each([
  ['keys', BROKEN_KEYS],
  ['quantities', BROKEN_QUANTITIES],
  ['ids', BROKEN_IDS],
  ['updates', BROKEN_UPDATES],
  ['state', BROKEN_STATE],
  ['shapes', BROKEN_SHAPES],
])('a service that breaks the rules of %s', (_, strangers) => {
  test.concurrent.each(strangers)('is found: $name', async (stranger) => {
    const { faults, before, after } = await check(stranger)
    expect(faults).not.toEqual([])
    if (stranger.irreparable === undefined) expect(after).toEqual(before)
  })
})

test('a pet that --pet leaves out is not updated, even if the updates of another one change it', async () => {
  const stranger = BROKEN_STATE.find(({ name }) => name.startsWith('the next pet gets one less')) as Stranger
  await using service = await startStranger(stranger)
  const lines = new Set<string>()
  service.onRequest = (_, line) => lines.add(line)
  const faults = await findFaults(service, { ...stranger, petIds: ['3'] })
  expect(faults.at(-1)).toMatch(
    /^the stock is as it was before the check: The next list shows quantity -\d+ for pet 4 /,
  )
  expect(lines).toContain('PATCH /v1/inventory/3')
  expect(lines).not.toContain('PATCH /v1/inventory/4')
})

test.each([20, 40, 60])('what another client sells at list %i of the check is not undone', async (moment) => {
  let lists = 0
  await using service = await startStranger({
    name: 'another client buys one of pet 3',
    because: '4.2: any client with a key may update any pet',
    stock: '1:10:available 2:20:available 3:30:available 4:40:available 5:50:available',
    rules: (shop, plain) => ({
      list(call) {
        lists += 1
        const pet = shop.pets[2]
        if (lists === moment && pet !== undefined) pet.quantity -= 1
        return plain.list(call)
      },
    }),
  })
  await findFaults(service, PLAIN)
  expect(service.stored()).toEqual([
    '1:10:available',
    '2:20:available',
    lists < moment ? '3:30:available' : '3:29:available',
    '4:40:available',
    '5:50:available',
  ])
})

describe('a service that differs only in what the specification allows', () => {
  test.concurrent.each(SOUND_STRANGERS)('is sound: $name', async (stranger) => {
    const { faults, before, after } = await check(stranger)
    expect(faults).toEqual([])
    expect(after).toEqual(before)
  })
})

/** Checks with updates of any pet. An early end of the check is a fault too. */
async function check(
  stranger: Stranger,
): Promise<{ readonly faults: readonly string[]; readonly before: string[]; readonly after: string[] }> {
  await using service = await startStranger(stranger)
  const before = service.stored()
  const faults = await findFaults(service, stranger)
  return { faults, before, after: service.stored() }
}

async function findFaults(
  { url, key }: RunningStranger,
  { responseLimitMs, petIds }: Stranger & { readonly petIds?: readonly string[] },
): Promise<readonly string[]> {
  try {
    const { service, survey } = await surveyService({ url, apiKey: key, responseLimitMs }, { petIds })
    const { results } = await checkService(service, { survey, judge, isForeign: true, mayWrite: true })
    return results
      .filter(({ verdict }) => verdict === 'failed')
      .map((result) => `${result.case}: ${result.violations.join('; ')}`)
  } catch (error) {
    if (error instanceof MockError && error.code === 'CHECK_FAILED') return [error.message]
    throw error
  }
}
