import type { Bytes } from '../http/bytes.ts'
import { BLOCK_SIZE, type Block, toList, writeBlock } from './list-bytes.ts'
import type { PetRecord, PetTable } from './pet-table.ts'
import { workInSlices } from './work-in-slices.ts'

/** A state to start from. Shared by all sandboxes that start from it, and never changed. */
export interface Seed {
  /** The fixture's name or file. */
  readonly name: string
  readonly pets: Pick<PetTable, 'get' | 'has' | 'values' | 'size'>
  /** The pets in blocks, in the order of the list. */
  readonly blocks: number
  /** The pet at a position of the list. */
  at(position: number): PetRecord | undefined
  /** A block on the wire; kept. */
  toBlock(index: number): Block
  /** The list on the wire; kept. */
  toList(): readonly Bytes[]
  /** Writes all blocks of a long list without holding up anybody else; `undefined` where that was done before. */
  prepare(): Promise<void> | undefined
}

/** In blocks. Shorter lists are written at once. */
export const LONG_LIST = 32

/** @param pets A table that nobody changes any more, and of which nothing was deleted. */
export function createSeed(name: string, pets: PetTable): Seed {
  const order = Array.from(pets.values())
  const count = Math.ceil(order.length / BLOCK_SIZE)
  const written: (Block | undefined)[] = []
  let list: readonly Bytes[] | undefined
  let preparing: Promise<void> | undefined

  function toBlock(index: number): Block {
    written[index] ??= writeBlock(order.slice(index * BLOCK_SIZE, (index + 1) * BLOCK_SIZE))
    return written[index]
  }

  return {
    name,
    pets,
    blocks: count,
    at: (position) => order[position],
    toBlock,
    toList() {
      list ??= toList(Array.from({ length: count }, (_, index) => toBlock(index).bytes))
      return list
    },
    prepare() {
      if (count <= LONG_LIST || list !== undefined) return undefined
      preparing ??= workInSlices(Array(count).keys(), toBlock)
      return preparing
    },
  }
}
