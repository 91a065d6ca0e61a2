import { expect, test, vi } from 'vitest'
import { joinBytes } from '../../src/http/bytes.ts'
import { parseFixture } from '../../src/store/fixture.ts'
import { generateFixture } from '../../src/store/generate-fixture.ts'
import { BLOCK_SIZE, type ListSource, LONG_LIST, PetList } from '../../src/store/pet-list.ts'
import { createSeed } from '../../src/store/seed.ts'

const BLOCKS = LONG_LIST + 2
const PETS = parseFixture(generateFixture({ pets: BLOCKS * BLOCK_SIZE }), 'test')

/** A list over a seed that is written, and how many pets it has looked up. */
async function createLayer(at: (position: number) => void = () => {}) {
  const seed = createSeed('test', PETS)
  await seed.list.prepare()
  const look = vi.fn<ListSource['at']>((position) => {
    at(position)
    return seed.at(position)
  })
  return { seed, look, list: new PetList({ length: seed.length, at: look, added: () => [] }, seed.list) }
}

test.each([
  [0, false],
  [LONG_LIST, false],
  [LONG_LIST + 1, true],
  [BLOCKS, true],
])('a list with changes in %i of its blocks is written before it is asked for: %s', async (stale, isWritten) => {
  const { list, look } = await createLayer()
  for (let block = 0; block < stale; block += 1) list.invalidate(block * BLOCK_SIZE)
  const ready = list.prepare()
  if (isWritten) expect(list.prepare()).toBe(ready)
  else expect(ready).toBeUndefined()
  await ready
  const before = look.mock.calls.length
  list.toPieces()
  expect([before, look.mock.calls.length]).toEqual([isWritten ? stale * BLOCK_SIZE : 0, stale * BLOCK_SIZE])
})

test('added pets are in no block', async () => {
  const { list, seed } = await createLayer()
  for (let block = 0; block < LONG_LIST; block += 1) list.invalidate(block * BLOCK_SIZE)
  list.invalidate(seed.length)
  expect(list.prepare()).toBeUndefined()
})

test.each([
  [LONG_LIST * BLOCK_SIZE, false],
  [LONG_LIST * BLOCK_SIZE + 1, true],
])('the list of a seed of %i pets is prepared: %s, and only once', async (pets, isLong) => {
  const { list } = createSeed('test', parseFixture(generateFixture({ pets }), 'test'))
  const ready = list.prepare()
  expect(ready !== undefined).toBe(isLong)
  await ready
  const bytes = list.bytes
  expect(bytes > 0).toBe(isLong)
  expect(list.prepare()).toBeUndefined()
  expect(list.toPieces()).toBe(list.toPieces())
})

test('a list that is written while it is prepared is not written again', async () => {
  let isFirst = true
  const { list, look } = await createLayer(() => {
    if (!isFirst) return
    isFirst = false
    queueMicrotask(() => list.toPieces())
    // The first slice ends here, and the microtask comes before the next one.
    for (const end = performance.now() + 10; performance.now() < end; );
  })
  for (let block = 0; block < BLOCKS; block += 1) list.invalidate(block * BLOCK_SIZE)
  await list.prepare()
  expect(look).toHaveBeenCalledTimes(BLOCKS * BLOCK_SIZE)
})

test('a list that changes while it is prepared is prepared once', async () => {
  let [asked, isEndless] = [0, true]
  const { list } = await createLayer((position) => {
    if (position % BLOCK_SIZE > 0 || !isEndless) return
    asked += 1
    // The block after this one changes each time.
    list.invalidate((position + BLOCK_SIZE) % (BLOCKS * BLOCK_SIZE))
  })
  for (let block = 0; block < BLOCKS; block += 1) list.invalidate(block * BLOCK_SIZE)
  await list.prepare()
  isEndless = false
  expect(asked).toBe(BLOCKS)
})

test('counts each block that differs from the seed’s once, however often it changes', async () => {
  const { list: often } = await createLayer()
  const { list: once, seed } = await createLayer()
  for (const position of [0, 1, BLOCK_SIZE, 0]) {
    often.invalidate(position)
    often.toPieces()
    once.invalidate(position)
  }
  once.toPieces()
  const [first, second] = [0, 1].map((block) => seed.list.toPieces()[block + 1]?.byteLength ?? 0)
  expect(often.bytes).toBe(once.bytes)
  expect(often.bytes).toBe((first ?? 0) + 1 + (second ?? 0))
  often.drop()
  expect(often.bytes).toBe(0)
  expect(joinBytes(often.toPieces())).toEqual(joinBytes(once.toPieces()))
})
