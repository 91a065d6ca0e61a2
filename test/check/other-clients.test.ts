import { describe, expect, test } from 'vitest'
import type { CheckReport } from '../../src/check/report.ts'
import type { RestoredStock } from '../../src/check/restore.ts'
import { runCheck } from '../../src/check/run-check.ts'
import { BROKEN_STOCK } from './services/broken-stock.ts'
import { isNamed, Refusal, startService, stock, type Vary } from './services/plain-service.ts'

const STOCK = { 1: 10, 2: 20, 3: 30, 4: 40, 5: 50 }
const CODES: Readonly<Record<number, string>> = { 400: 'invalid_request', 401: 'unauthorized', 404: 'not_found' }

interface Checked {
  readonly report: CheckReport
  readonly restored: readonly RestoredStock[]
  readonly stored: Readonly<Record<string, number>>
}

/** Checks a service that decides as the mock does. */
async function checkShop(vary: Vary): Promise<Checked> {
  await using service = await startService((base, running) => ({
    pets: stock('1:10:available 2:20:available 3:30:available 4:40:available 5:50:available'),
    refuse: ({ status, message }, call) => base.refuse(new Refusal(status, CODES[status] ?? '', message), call),
    route: (call) => {
      if (isNamed(call)) running.checkKey(call)
      return base.route(call)
    },
    ...vary(base, running),
  }))
  const restored: RestoredStock[] = []
  const { url, apiKey } = service
  const onRestored = (each: RestoredStock): unknown => restored.push(each)
  const { report } = await runCheck({ url, apiKey, write: true, profile: {}, lateMs: 0, onRestored })
  return { report, restored, stored: service.stock() }
}

/** Another client sells a pet before one or every list. */
async function checkWhileSelling(petId: string, moment: number | 'every') {
  let lists = 0
  const checked = await checkShop((base) => ({
    list: (call) => {
      lists += 1
      if (moment === 'every' || lists === moment) base.find(petId).quantity -= 1
      return base.list(call)
    },
  }))
  return { ...checked, lists }
}

/** On a busy machine, slow responses are noted too. */
function listNotes({ seen }: CheckReport): readonly string[] {
  return seen.filter((each) => each.startsWith('Another client'))
}

describe.concurrent('a single change by another client', () => {
  test.each([20, 40, 60])('of a pet that is not updated, at list %i, is told and not undone', async (moment) => {
    const { report, stored, restored } = await checkWhileSelling('3', moment)
    expect(report).toMatchObject({ verdict: 'kept', failed: 0, inconclusive: 0 })
    expect(listNotes(report)).toEqual(['Another client changed pet 3, which is left out from now on'])
    expect(stored).toEqual({ ...STOCK, 3: 29 })
    expect(restored).toMatchObject([{ problem: undefined }])
  })

  test('of an updated pet is told, and overwritten', async () => {
    const { report, stored, restored } = await checkWhileSelling('5', 40)
    expect(report).toMatchObject({ verdict: 'kept', failed: 0, inconclusive: 0 })
    expect(listNotes(report)).toEqual(['Another client changed pet 5, which is left out from now on'])
    expect(stored).toEqual(STOCK)
    expect(restored).toMatchObject([{ problem: undefined }])
  })
})

test.concurrent.each([2, 3, 20, 35])(
  'a sale right after update %i is inconclusive, because the repeated update holds',
  async (sold) => {
    let updates = 0
    const { report, stored } = await checkShop((base) => ({
      store: (pet, quantity) => {
        updates += 1
        base.store(pet, updates === sold ? quantity - 1 : quantity)
      },
    }))
    expect(report).toMatchObject({ verdict: 'inconclusive', failed: 0, inconclusive: 1 })
    const open = report.cases.find(({ verdict }) => verdict === 'inconclusive')
    expect(open?.findings.map(({ cause }) => cause)).toEqual(['once'])
    expect(stored).toEqual(STOCK)
  },
)

test.concurrent('a pet sold all the time is no side effect, and not restored', async () => {
  const { report, stored, restored, lists } = await checkWhileSelling('3', 'every')
  expect(report).toMatchObject({ verdict: 'kept', failed: 0, inconclusive: 0 })
  expect(listNotes(report)).toEqual(['Another client changed pet 3, which is left out from now on'])
  expect(stored).toEqual({ ...STOCK, 3: 30 - lists })
  expect(restored).toMatchObject([{ problem: undefined }])
})

test.concurrent('a pet that --pet leaves out is not updated, even if the updates of another one change it', async () => {
  await using service = await startService(BROKEN_STOCK['next-pet-one-less'].vary)
  const lines = new Set<string>()
  service.onRequest = (_, line) => lines.add(line)
  const { report } = await runCheck({ url: service.url, apiKey: service.apiKey, write: true, petIds: ['1'], lateMs: 0 })
  expect(report.cases.at(-1)).toMatchObject({
    case: 'the stock should be as it was before the check',
    findings: expect.arrayContaining([
      expect.objectContaining({
        message: expect.stringMatching(/^Changed and not restored: pet 2 has quantity -\d+ /),
      }),
    ]),
  })
  expect(lines).toContain('PATCH /v1/inventory/1')
  expect(lines).not.toContain('PATCH /v1/inventory/2')
})

test.concurrent.each(['1', '2'])(
  'after a refusal and a sale of pet %s, no case updates the pet that takes no 0',
  async (petId) => {
    let isSold = false
    const { stored, report } = await checkShop((base, running) => ({
      pets: stock('1:0:sold 2:50:available 3:20:pending'),
      parseQuantity: (body) => {
        const quantity = base.parseQuantity(body)
        if (quantity !== 0) return quantity
        if (!isSold) running.find(petId).quantity += 4
        isSold = true
        throw new Refusal(400, 'zero', 'Use 1 or more')
      },
    }))
    expect(stored['1']).toBe(petId === '1' ? 4 : 0)
    expect(report.cases.find((each) => each.case === 'a new quantity should be echoed and listed')?.verdict).toBe(
      'passed',
    )
  },
)
