import { expect, test, vi } from 'vitest'
import { joinBytes } from '../../src/http/bytes.ts'
import { parseFixture } from '../../src/store/fixture.ts'
import { generateFixture } from '../../src/store/generate-fixture.ts'
import { BLOCK_SIZE, type ListSource, PetList } from '../../src/store/pet-list.ts'
import { createSeed } from '../../src/store/seed.ts'

const BLOCKS = 4
const PETS = parseFixture(generateFixture({ pets: BLOCKS * BLOCK_SIZE }), 'test')

/** A list over a seed, and the lookups of pets in each. */
function createLayer() {
  const seed = createSeed('test', PETS)
  const look = vi.fn<ListSource['at']>((position) => seed.at(position))
  return { seed, look, list: new PetList({ length: seed.length, at: look, added: () => [] }, seed.list) }
}

test.each([0, 1, BLOCKS])('a list with changes in %i of its blocks writes these, once', (changed) => {
  const { list, look } = createLayer()
  for (let block = 0; block < changed; block += 1) list.invalidate(block * BLOCK_SIZE)
  expect(list.toPieces()).toBe(list.toPieces())
  expect(look).toHaveBeenCalledTimes(changed * BLOCK_SIZE)
})

test('added pets are in no block', () => {
  const { list, look, seed } = createLayer()
  list.invalidate(seed.length)
  list.toPieces()
  expect(look).not.toHaveBeenCalled()
})

test('counts each block that differs from the seed’s once, however often it changes', () => {
  const { list: often } = createLayer()
  const { list: once, seed } = createLayer()
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
