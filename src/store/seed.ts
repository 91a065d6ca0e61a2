import type { Bytes } from '../contract/bytes.ts'
import { BLOCK_SIZE, toBlock, toList } from './list-bytes.ts'
import { createPetTable, type Pet, type PetTable } from './pet-table.ts'

/** A state to start from. Shared by all sandboxes that start from it, and never changed. */
export interface Seed {
  /** The fixture's name or file. */
  readonly name: string
  readonly pets: Pick<PetTable<SeedPet>, 'get' | 'has' | 'values' | 'size'>
  /** The pets in blocks, in the order of the list. */
  readonly blocks: number
  toBlockPets(block: number): readonly SeedPet[]
  /** A block on the wire; kept. */
  toBlock(block: number): Bytes
  /** The list on the wire; kept. */
  toList(): readonly Bytes[]
  /** Writes all blocks of a long list without holding up anybody else; `undefined` where that was done before. */
  prepare(): Promise<void> | undefined
}

/** A pet with its place in the list. */
export interface SeedPet extends Pet {
  readonly position: number
}

// Taken when this module is loaded, so that a runner's fake timers do not stop the double.
const { setTimeout, performance } = globalThis

/** For how long blocks are written in one go, in milliseconds. */
const SLICE_MS = 10
/** In blocks. Fewer are written at once. */
const LONG_LIST = 32

/** Puts the pets of a fixture into a table; their ids differ. */
export function createSeed(name: string, pets: Iterable<Pet>): Seed {
  const table = createPetTable<SeedPet>()
  let position = 0
  for (const { petId, quantity, status } of pets) {
    table.put({ petId, quantity, status, position })
    position += 1
  }
  const order = Array.from(table.values())
  const count = Math.ceil(order.length / BLOCK_SIZE)
  const written: (Bytes | undefined)[] = []
  let list: readonly Bytes[] | undefined
  let preparing: Promise<void> | undefined

  const toBlockPets = (block: number): readonly SeedPet[] => order.slice(block * BLOCK_SIZE, (block + 1) * BLOCK_SIZE)

  function toSeedBlock(block: number): Bytes {
    written[block] ??= toBlock(toBlockPets(block))
    return written[block]
  }

  async function writeInSlices(): Promise<void> {
    let end = performance.now() + SLICE_MS
    for (let block = 0; block < count; block += 1) {
      toSeedBlock(block)
      if (performance.now() < end) continue
      await new Promise<void>((resolve) => setTimeout(resolve, 0))
      end = performance.now() + SLICE_MS
    }
  }

  return {
    name,
    pets: table,
    blocks: count,
    toBlockPets,
    toBlock: toSeedBlock,
    toList() {
      list ??= toList(Array.from({ length: count }, (_, block) => toSeedBlock(block)))
      return list
    },
    prepare() {
      if (count <= LONG_LIST || list !== undefined) return undefined
      preparing ??= writeInSlices()
      return preparing
    },
  }
}
