import type { Bytes } from '../http/bytes.ts'
import { BLOCK_SIZE, type Block, toList, writeBlock } from './list-bytes.ts'
import type { PetRecord, PetTable } from './pet-table.ts'
import { workInSlices } from './work-in-slices.ts'

/** An initial state. It never changes, and all sandboxes that start from it share it. */
export interface Seed {
  /** The name or file of the fixture. */
  readonly name: string
  readonly pets: Pick<PetTable, 'get' | 'has' | 'values' | 'size'>
  /** The number of blocks in the list. */
  readonly blocks: number
  /** The pet at a position of the list. */
  at(position: number): PetRecord | undefined
  /** A block of the list as JSON. Cached. */
  toBlock(index: number): Block
  /** The list as JSON. Cached. */
  toList(): readonly Bytes[]
  /** Serializes a long list without blocking the event loop. Returns `undefined` when there is nothing to prepare. */
  prepare(): Promise<void> | undefined
}

/** In blocks. Shorter lists are serialized in one go. */
export const LONG_LIST = 32

/** @param pets A table that will not change, and from which no pet was deleted. */
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
