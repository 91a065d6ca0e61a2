import type { Bytes } from '../contract/bytes.ts'
import { BLOCK_SIZE, toBlock, toList } from './list-bytes.ts'
import type { PetRecord, PetTable } from './pet-table.ts'

/** A state to start from. Shared by all sandboxes that start from it, and never changed. */
export interface Seed {
  /** The fixture's name or file. */
  readonly name: string
  readonly pets: Pick<PetTable, 'get' | 'has' | 'values' | 'size'>
  /** The pets in blocks, in the order of the list. */
  readonly blocks: number
  toBlockPets(block: number): readonly PetRecord[]
  /** A block on the wire; kept. */
  toBlock(block: number): Bytes
  /** The list on the wire; kept. */
  toList(): readonly Bytes[]
  /** Writes all blocks of a long list without holding up anybody else; `undefined` where that was done before. */
  prepare(): Promise<void> | undefined
}

// Taken when this module is loaded, so that a runner's fake timers do not stop the double.
const { setTimeout, performance } = globalThis

/** For how long blocks are written in one go, in milliseconds. */
const SLICE_MS = 5
/** In blocks. Fewer are written at once. */
const LONG_LIST = 32

/** @param pets A table that nobody changes any more, and of which nothing was deleted. */
export function createSeed(name: string, pets: PetTable): Seed {
  const order = Array.from(pets.values())
  const count = Math.ceil(order.length / BLOCK_SIZE)
  const written: (Bytes | undefined)[] = []
  let list: readonly Bytes[] | undefined
  let preparing: Promise<void> | undefined

  const toBlockPets = (block: number): readonly PetRecord[] => order.slice(block * BLOCK_SIZE, (block + 1) * BLOCK_SIZE)

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
    pets,
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
