import { expect, test, vi } from 'vitest'
import { parseFixture } from '../../src/store/fixture.ts'
import { generateFixture } from '../../src/store/generate-fixture.ts'
import { BLOCK_SIZE } from '../../src/store/list-bytes.ts'
import { ListCache } from '../../src/store/list-cache.ts'
import { createSeed, LONG_LIST } from '../../src/store/seed.ts'

const BLOCKS = LONG_LIST + 2
const PETS = parseFixture(generateFixture({ pets: BLOCKS * BLOCK_SIZE }), 'test')

test.each([
  [0, false],
  [LONG_LIST, false],
  [LONG_LIST + 1, true],
  [BLOCKS, true],
])('a list with changes in %i of its blocks is mended before it is asked for: %s', async (stale, isMended) => {
  const seed = createSeed('test', PETS)
  await seed.prepare()
  const at = vi.fn((position: number) => seed.at(position))
  const cache = new ListCache(seed, { at })
  for (let block = 0; block < stale; block += 1) cache.invalidate(block * BLOCK_SIZE)
  const ready = cache.prepare()
  if (isMended) expect(cache.prepare()).toBe(ready)
  await ready
  const before = at.mock.calls.length
  cache.toBlocks()
  expect([before, at.mock.calls.length]).toEqual([isMended ? stale : 0, stale])
})

test('the seed of a list is written before its changes', async () => {
  const seed = createSeed('test', PETS)
  const cache = new ListCache(seed, seed)
  for (let block = 0; block < BLOCKS; block += 1) cache.invalidate(block * BLOCK_SIZE)
  await cache.prepare()
  expect(cache.prepare()).toBe(seed.prepare())
})

test('a list that changes while it is made ready is mended again, and not for ever', async () => {
  const seed = createSeed('test', PETS)
  let asked = 0
  const cache: ListCache = new ListCache(seed, {
    at(position) {
      asked += 1
      // The block after this one changes each time.
      cache.invalidate((position + BLOCK_SIZE) % (BLOCKS * BLOCK_SIZE))
      return seed.at(position)
    },
  })
  for (let block = 0; block < BLOCKS; block += 1) cache.invalidate(block * BLOCK_SIZE)
  await cache.prepare()
  expect(asked).toBeGreaterThanOrEqual(BLOCKS)
  expect(asked).toBeLessThan(2 * BLOCKS + 2)
})

test('counts each block that differs from the seed’s once, however often it changes', () => {
  const seed = createSeed('test', PETS)
  const [often, once] = [new ListCache(seed, seed), new ListCache(seed, seed)]
  for (const position of [0, 1, BLOCK_SIZE, 0]) {
    often.invalidate(position)
    often.toBlocks()
    once.invalidate(position)
  }
  once.toBlocks()
  expect(often.bytes).toBe(once.bytes)
  expect(often.bytes).toBeGreaterThan(2 * BLOCK_SIZE)
})
