import type { Bytes } from '../http/bytes.ts'
import { BLOCK_SIZE, type Block, patchBlock } from './list-bytes.ts'
import type { Pet } from './pet-table.ts'
import { LONG_LIST, type Seed } from './seed.ts'
import { workInSlices } from './work-in-slices.ts'

/** Looks up the pets that are now at the positions of a seed's list. */
export interface PetLookup {
  /** `undefined` if the pet at this position was removed. */
  at(position: number): Pet | undefined
}

/** A seed's list as JSON, with the changed pets replaced. */
export class ListCache {
  /** The memory in bytes of the blocks that differ from the seed's. */
  bytes = 0
  readonly #seed: Seed
  readonly #pets: PetLookup
  /** The blocks that differ from the seed's, as last serialized. */
  #blocks: Map<number, Block> | undefined
  /** The slots that have changed since, by block. */
  readonly #stale = new Map<number, Set<number>>()
  #preparing: Promise<void> | undefined

  constructor(seed: Seed, pets: PetLookup) {
    this.#seed = seed
    this.#pets = pets
  }

  /** Marks a position as changed. */
  invalidate(position: number): void {
    const index = Math.floor(position / BLOCK_SIZE)
    const slots = this.#stale.get(index)
    if (slots === undefined) this.#stale.set(index, new Set([position % BLOCK_SIZE]))
    else slots.add(position % BLOCK_SIZE)
  }

  /** Updates a long list without blocking the event loop. Returns `undefined` when there is nothing to prepare. */
  prepare(): Promise<void> | undefined {
    if (this.#preparing === undefined && this.#stale.size <= LONG_LIST) return this.#seed.prepare()
    this.#preparing ??= this.#patchInSlices().finally(() => {
      this.#preparing = undefined
    })
    return this.#preparing
  }

  /** All blocks, up to date. */
  toBlocks(): Bytes[] {
    for (const index of this.#stale.keys()) this.#patch(index)
    return Array.from({ length: this.#seed.blocks }, (_, index) => this.#toBlock(index).bytes)
  }

  /**
   * Blocks that change in the meantime are updated again. If changes keep coming faster than that, it stops after twice
   * the number of blocks and leaves the rest to `toBlocks()`.
   */
  async #patchInSlices(): Promise<void> {
    await this.#seed.prepare()
    let left = 2 * this.#seed.blocks
    await workInSlices(this.#stale.keys(), (index) => {
      left -= 1
      if (left > 0) this.#patch(index)
    })
  }

  #patch(index: number): void {
    const changes = new Map<number, Pet | undefined>()
    for (const slot of this.#stale.get(index) ?? []) changes.set(slot, this.#pets.at(index * BLOCK_SIZE + slot))
    this.#stale.delete(index)
    this.#blocks ??= new Map()
    const [before, block] = [this.#blocks.get(index), patchBlock(this.#toBlock(index), changes)]
    this.#blocks.set(index, block)
    this.bytes += toSize(block) - (before === undefined ? 0 : toSize(before))
  }

  #toBlock(index: number): Block {
    return this.#blocks?.get(index) ?? this.#seed.toBlock(index)
  }
}

function toSize({ bytes, ends }: Block): number {
  return bytes.byteLength + ends.byteLength
}
