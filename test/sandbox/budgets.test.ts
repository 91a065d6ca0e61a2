import { describe, expect, test, vi } from 'vitest'
import { ByteBudget } from '../../src/http/bytes.ts'
import { RequestRecord } from '../../src/http/wire-request.ts'
import { createJournalBudget, StateBudget } from '../../src/sandbox/budgets.ts'
import { createFaults } from '../../src/sandbox/faults.ts'
import { parseFixture } from '../../src/store/fixture.ts'
import type { InventoryState } from '../../src/store/inventory-state.ts'
import { createSeed, type Seed } from '../../src/store/seed.ts'

type MakeRoom = (isEnough: () => boolean) => void

describe.each<[string, (makeRoom: MakeRoom) => { spend(bytes: number): void }]>([
  ['journals', (makeRoom) => createJournalBudget(1000, makeRoom)],
  ['states', (makeRoom) => new StateBudget({ limit: 1000, getSeed: () => SEED, makeRoom })],
])('the budget of %s', (_, create) => {
  test('asks for room above its limit, until nine tenths are left', () => {
    const makeRoom = vi.fn<MakeRoom>()
    const budget = create(makeRoom)
    budget.spend(1000)
    expect(makeRoom).not.toHaveBeenCalled()
    budget.spend(1)
    const isEnough = makeRoom.mock.calls[0]?.[0]
    expect(isEnough?.()).toBe(false)
    budget.spend(-100)
    expect(isEnough?.()).toBe(false)
    budget.spend(-1)
    expect(isEnough?.()).toBe(true)
  })

  test('does not ask for room when it gets bytes back', () => {
    const makeRoom = vi.fn<MakeRoom>()
    const budget = create(makeRoom)
    budget.spend(2000)
    budget.spend(-1)
    budget.spend(0)
    expect(makeRoom).toHaveBeenCalledOnce()
  })
})

test('a journal counts a piece of a list once, and a small piece each time', () => {
  const { weigh } = createJournalBudget(1000, () => {})
  const request = new RequestRecord('GET', { path: '', lines: '' })
  const answer = (bytes: number) =>
    ({ type: 'response', status: 200, headers: {}, body: [new Uint8Array(bytes)] }) as const
  const empty = weigh({ request, body: undefined, answer: undefined })
  for (const [bytes, again] of [
    [1023, 1023],
    [1024, 0],
  ] as const) {
    const exchange = { request, body: undefined, answer: answer(bytes) }
    expect([weigh(exchange) - empty, weigh(exchange) - empty]).toEqual([bytes, again])
  }
})

describe('the account of a state', () => {
  test('counts what changes hold, until it is closed', () => {
    const { budget, makeRoom } = open()
    const state = { seed: SEED, weight: 1000 }
    const account = budget.open(state as InventoryState)
    expect(account.isEmpty).toBe(true)
    account.update()
    account.update()
    expect([account.isEmpty, makeRoom.mock.calls.length]).toEqual([false, 0])
    state.weight = 1001
    account.update()
    expect(makeRoom).toHaveBeenCalledOnce()
    account.close()
    state.weight = 2000
    account.update()
    budget.spend(1000)
    expect(makeRoom).toHaveBeenCalledOnce()
  })

  test('counts a seed of its own once for all, as long as one of them starts from it', () => {
    const { budget, makeRoom } = open()
    const own = toSeed(2)
    const states = [1, 2].map(() => ({ seed: own, weight: 0 }))
    const accounts = states.map((state) => budget.open(state as unknown as InventoryState))
    for (const account of accounts) account.update()
    expect([budget.weigh(own), accounts.map(({ isEmpty }) => isEmpty)]).toEqual([512, [false, false]])
    budget.spend(488)
    expect(makeRoom).not.toHaveBeenCalled()
    accounts[0]?.close()
    expect(budget.weigh(own)).toBe(512)
    Object.assign(states[1] ?? {}, { seed: SEED })
    accounts[1]?.update()
    expect([budget.weigh(own), accounts[1]?.isEmpty]).toEqual([0, true])
    budget.spend(512)
    expect(makeRoom).not.toHaveBeenCalled()
    budget.spend(1)
    expect(makeRoom).toHaveBeenCalledOnce()
  })
})

describe('the faults of a sandbox', () => {
  test('take bytes that they give back, also when the sandbox is gone', () => {
    const budget = new ByteBudget(2 * 512 + 2 * 4)
    const faults = createFaults({ notify: () => {}, budget })
    faults.add({ status: 503 })
    faults.add({ status: 503, body: 'ab' })
    expect(() => faults.add({ status: 503 })).toThrow('would hold more than 1032 bytes')
    faults.close()
    expect([faults.list(), budget.take(1032)]).toEqual([[], true])
  })

  test('give back only the bytes of the fault that is removed', () => {
    const budget = new ByteBudget(2 * 512)
    const faults = createFaults({ notify: () => {}, budget })
    faults.add({ status: 503 })
    faults.add({ status: 503 })
    faults.remove(1)
    faults.add({ status: 503 })
    expect(() => faults.add({ status: 503 })).toThrow('would hold more than 1024 bytes')
  })

  test('count two bytes for each character of a body', () => {
    const text = '"ab"'
    for (const [limit, isTaken] of [
      [512 + 2 * text.length - 1, false],
      [512 + 2 * text.length, true],
    ] as const) {
      const faults = createFaults({ notify: () => {}, budget: new ByteBudget(limit) })
      const add = () => faults.add({ status: 503, body: 'ab' })
      if (isTaken) expect(add().id).toBe(1)
      else expect(add).toThrow(`would hold more than ${limit} bytes`)
    }
  })

  test('count eight bytes for each status of a sequence', () => {
    const faults = createFaults({ notify: () => {}, budget: new ByteBudget(512 + 2 * 8) })
    expect(() => faults.add({ statuses: [503, 500, 502] })).toThrow('would hold more than 528 bytes')
    expect(faults.add({ statuses: [503, 500] }).id).toBe(1)
  })
})

const SEED = toSeed(1)

function toSeed(pets: number): Seed {
  const inventory = Array.from({ length: pets }, (_, petId) => ({ petId, quantity: 1, status: 'sold' }))
  return createSeed('test', parseFixture({ inventory }, 'test'))
}

function open() {
  const makeRoom = vi.fn<MakeRoom>()
  return { makeRoom, budget: new StateBudget({ limit: 1000, getSeed: () => SEED, makeRoom }) }
}
