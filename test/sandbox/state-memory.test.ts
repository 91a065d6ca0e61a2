import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { joinBytes } from '../../src/http/bytes.ts'
import { createMock, generateFixture } from '../../src/index.ts'
import { createMemoryLimit, type Sandboxes } from '../../src/sandbox/sandboxes.ts'
import { toService } from '../../src/service/mock.ts'
import { openSandboxes } from './sandboxes.ts'

const KB = 1024
const PETS = 1000
/** The bytes of a change in the history. */
const CHANGE = 200
const FIXTURE = generateFixture({ pets: PETS, randomSeed: 1 })

describe('the states of all sandboxes', () => {
  let warn: MockInstance<typeof console.warn>
  beforeEach(() => {
    warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  })

  test('hold no more than the limit: lists that are kept go before sandboxes', () => {
    const sandboxes = open(400 * KB)
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      const sandbox = sandboxes.open(name)
      const { state } = sandbox
      state.put({ petId: '1', quantity: 77, status: 'sold' })
      state.toList()
      sandbox.countState()
    }
    expect(warn).not.toHaveBeenCalled()
    const weights = Array.from(sandboxes.values(), ({ state }) => state.weight)
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(400 * KB)
    expect(weights.slice(0, 3)).toEqual([0, 160, 160])
    // No more lists are dropped than needed.
    expect(weights.slice(4).filter((weight) => weight === 160)).toEqual([])
    expect(toText(sandboxes.open('a').state.toList())).toContain('{"petId":1,"quantity":77,"status":"sold"}')
  })

  test('hold no more than the limit: the least recently used sandboxes are evicted, and never the default one', () => {
    const sandboxes = open(400 * KB)
    for (const name of ['default', 'a', 'b', 'c']) {
      const sandbox = sandboxes.open(name)
      const { state } = sandbox
      for (let petId = 1; petId <= PETS; petId += 1) state.put({ petId: `${petId}`, quantity: -1, status: 'sold' })
      sandbox.countState()
    }
    expect(Array.from(sandboxes.values(), ({ controls }) => controls.name)).toEqual(['default', 'c'])
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(/more than 409600 bytes; the least recently used sandbox, a, is evicted$/),
      expect.stringMatching(/sandbox, b, is evicted$/),
    ])
    for (const name of ['d', 'e', 'f']) sandboxes.open(name).countState()
    expect(sandboxes.size).toBe(4)
  })

  test('count what was loaded until it is replaced, but not the seed of the mock', () => {
    const sandboxes = open(600 * KB)
    const load = (name: string, pets: number) => {
      const sandbox = sandboxes.open(name)
      sandbox.controls.load(generateFixture({ pets, randomSeed: 3 }))
      return sandbox.countState()
    }
    const a = sandboxes.open('a')
    expect([load('a', PETS), load('b', PETS)]).toEqual([256_000 + CHANGE, 256_000 + CHANGE])
    a.controls.load('custom')
    a.history.undo()
    expect(a.countState()).toBe(256_000 + 2 * CHANGE)
    a.controls.reset()
    expect([a.countState(), load('c', PETS)]).toEqual([0, 256_000 + CHANGE])
    // Nothing of the least recently used one could be freed.
    load('d', PETS)
    expect(Array.from(sandboxes.values(), ({ controls }) => controls.name)).toEqual(['default', 'a', 'c', 'd'])
  })

  test('are counted once if room is made while they are counted', () => {
    const sandboxes = open(100 * KB)
    const early = sandboxes.open('early')
    sandboxes.open('late')
    early.state.put({ petId: '1', quantity: 77, status: 'sold' })
    early.controls.load(generateFixture({ pets: PETS, randomSeed: 3 }))
    // Evicts this sandbox, whose request ends after a later one began.
    early.countState()
    const late = sandboxes.open('late')
    late.controls.load(generateFixture({ pets: 395, randomSeed: 3 }))
    expect([late.countState(), sandboxes.size]).toEqual([101_120 + CHANGE, 1])
    expect(warn).toHaveBeenCalledOnce()
    sandboxes.open('other').state.put({ petId: '1', quantity: 77, status: 'sold' })
    expect([sandboxes.open('other').countState(), sandboxes.size]).toEqual([160 + CHANGE, 2])
  })

  test('count a removed sandbox no longer, also if its last request ends later', () => {
    const sandboxes = open(400 * KB)
    for (let turn = 0; turn < 5; turn += 1) {
      const sandbox = sandboxes.open('short-lived')
      sandbox.controls.load(generateFixture({ pets: PETS, randomSeed: 3 }))
      expect(sandbox.countState()).toBe(256_000 + CHANGE)
      sandboxes.remove('short-lived')
      expect(sandbox.countState()).toBe(0)
    }
    const kept = sandboxes.open('kept')
    kept.state.put({ petId: '1', quantity: 77, status: 'sold' })
    expect([kept.countState(), sandboxes.size]).toEqual([160 + CHANGE, 1])
    expect(warn).not.toHaveBeenCalled()
  })

  test('are counted after each request, also of the control API', async () => {
    const mock = createMock({ fixture: FIXTURE })
    const sandbox = toService(mock).sandboxes.open('a')
    const count = vi.spyOn(sandbox, 'countState')
    await mock.fetch('/_mock/state?sandbox=a')
    await mock.fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key~a' } })
    await mock.fetch('/_mock/pets/5000?sandbox=a', { method: 'PUT', body: '{"quantity":1,"status":"sold"}' })
    expect([count.mock.calls.length, sandbox.state.weight]).toEqual([3, 160])
  })
})

test('a memory limit asks for room above it, until nine tenths are left, and not when it gets bytes back', () => {
  const makeRoom = vi.fn<(isEnough: () => boolean) => void>()
  const spend = createMemoryLimit(1000, makeRoom)
  spend(1000)
  expect(makeRoom).not.toHaveBeenCalled()
  spend(1)
  const isEnough = makeRoom.mock.calls[0]?.[0]
  expect(isEnough?.()).toBe(false)
  spend(-100)
  expect(isEnough?.()).toBe(false)
  spend(-1)
  expect(isEnough?.()).toBe(true)
  spend(2000)
  spend(-1)
  spend(0)
  expect(makeRoom).toHaveBeenCalledTimes(2)
})

function open(statesLimit: number): Sandboxes {
  return openSandboxes(FIXTURE, { statesLimit })
}

function toText(pieces: Parameters<typeof joinBytes>[0]): string {
  return new TextDecoder().decode(joinBytes(pieces))
}
