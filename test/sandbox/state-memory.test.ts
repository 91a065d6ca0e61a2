import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { joinBytes } from '../../src/http/bytes.ts'
import { generateFixture } from '../../src/index.ts'
import type { Sandboxes } from '../../src/sandbox/sandboxes.ts'
import { openSandboxes } from './sandboxes.ts'

const KB = 1024
const PETS = 1000
const FIXTURE = generateFixture({ pets: PETS, randomSeed: 1 })

describe('the states of all sandboxes', () => {
  let warn: MockInstance<typeof console.warn>
  beforeEach(() => {
    warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  })

  test('hold no more than the limit: lists that are kept go before sandboxes', () => {
    const sandboxes = open(400 * KB)
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      const { state } = sandboxes.open(name)
      state.put({ petId: '1', quantity: 77, status: 'sold' })
      state.toList()
    }
    sandboxes.open('i').state.put({ petId: '1', quantity: 77, status: 'sold' })
    expect(warn).not.toHaveBeenCalled()
    const weights = Array.from(sandboxes.values().slice(1), ({ weight }) => weight)
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(400 * KB)
    expect(weights.slice(0, 3)).toEqual([160, 160, 160])
    // No more lists are dropped than needed. The last sandbox has none.
    expect(weights.slice(4, -1).filter((weight) => weight === 160)).toEqual([])
    expect(toText(sandboxes.open('a').state.toList())).toContain('{"petId":1,"quantity":77,"status":"sold"}')
  })

  test('hold no more than the limit: the least recently used sandboxes are evicted, and never the default one', () => {
    const sandboxes = open(400 * KB)
    for (const name of ['default', 'a', 'b', 'c']) {
      const { state } = sandboxes.open(name)
      for (let petId = 1; petId <= PETS; petId += 1) state.put({ petId: `${petId}`, quantity: -1, status: 'sold' })
    }
    expect(listNames(sandboxes)).toEqual(['default', 'c'])
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(/more than 409600 bytes; the least recently used sandbox, a, is evicted$/),
      expect.stringMatching(/sandbox, b, is evicted$/),
    ])
  })

  test('evict no sandbox that weighs nothing, whose settings would be lost', () => {
    const sandboxes = open(400 * KB)
    for (const name of ['a', 'b']) sandboxes.open(name).controls.setDelay(5)
    for (const randomSeed of [3, 4, 5]) sandboxes.default.controls.load(generateFixture({ pets: 2 * PETS, randomSeed }))
    expect([listNames(sandboxes), sandboxes.default.weight > 400 * KB]).toEqual([['default', 'a', 'b'], true])
  })

  test('are counted with the faults of their sandboxes', () => {
    const sandboxes = open(100 * KB)
    for (const name of ['a', 'b', 'c']) sandboxes.open(name).faults.add({ status: 503, body: 'x'.repeat(20 * KB) })
    expect(listNames(sandboxes)).toEqual(['default', 'b', 'c'])
  })

  test('count what was loaded until it is replaced, but not the seed of the mock', () => {
    const sandboxes = open(600 * KB)
    const load = (name: string) => {
      const sandbox = sandboxes.open(name)
      sandbox.controls.load(generateFixture({ pets: PETS, randomSeed: 3 }))
      return sandbox.weight
    }
    const a = sandboxes.open('a')
    expect([load('a'), load('b')]).toEqual([256_000, 256_000])
    a.controls.reset()
    expect([a.weight, load('c')]).toEqual([0, 256_000])
    // Nothing of the least recently used one could be freed.
    load('d')
    expect(listNames(sandboxes)).toEqual(['default', 'a', 'c', 'd'])
  })
})

function open(statesLimit: number): Sandboxes {
  return openSandboxes(FIXTURE, { statesLimit })
}

function listNames(sandboxes: Sandboxes): string[] {
  return sandboxes.values().map(({ controls }) => controls.name)
}

function toText(pieces: Parameters<typeof joinBytes>[0]): string {
  return new TextDecoder().decode(joinBytes(pieces))
}
