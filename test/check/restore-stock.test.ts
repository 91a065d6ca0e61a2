import { expect, test } from 'vitest'
import { NoAnswer } from '../../src/check/conformance/ask.ts'
import { createSession } from '../../src/check/conformance/check-session.ts'
import { surveyService } from '../../src/check/conformance/survey.ts'
import type { Judge } from '../../src/check/judge.ts'
import { defineRestoring } from '../../src/check/restore-stock.ts'
import { createMock, type InventoryItem } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'

/** Finds no violation. */
const judge: Judge = { judge: async () => [], close: async () => {}, [Symbol.asyncDispose]: async () => {} }

test.each(['reset', 'timeout'] as const)(
  'a pet whose update ends in a %s keeps no other from being restored',
  async (error) => {
    const mock = createMock()
    await using server = await serve(mock)
    const service = { url: `${server.url}/v1`, apiKey: 'demo-key', responseLimitMs: 2000 }
    const survey = await surveyService(service)
    const [first, ...others] = mock.inventory.list() as [InventoryItem, ...InventoryItem[]]
    for (const { petId } of [first, ...others]) mock.inventory.set(petId, { quantity: 613 })
    mock.faults.add({ operation: 'updateInventory', petId: first.petId, error })
    const petIds = survey.pets.map(({ petId }) => petId)
    const restoring = defineRestoring({ petIds, isUnconfirmed: false, patienceMs: 0 })
    const session = createSession({ ...service, judge }, { survey, mayWrite: true, isPersistent: true })
    await expect(restoring.run(session)).rejects.toBeInstanceOf(NoAnswer)
    expect(mock.inventory.list()).toEqual([{ ...first, quantity: 613 }, ...others])
  },
)
