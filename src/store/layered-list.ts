import { type Bytes, countBytes } from '../http/bytes.ts'
import { toList, writeBlock } from './list-bytes.ts'
import { ListCache, type PetLookup } from './list-cache.ts'
import type { Pet } from './pet-table.ts'
import type { Seed } from './seed.ts'

/** The changes over a seed. */
interface Layer extends PetLookup {
  /** The pets after the end of the seed's list. */
  added(): Iterable<Pet>
}

/** The list of an inventory as JSON: the seed's list with the changed positions replaced, then the added pets. */
export class LayeredList {
  readonly #layer: Layer
  readonly #cache: ListCache
  /** The added pets as JSON. */
  #tail: Bytes | undefined
  #whole: readonly Bytes[] | undefined
  /** The memory in bytes that `#tail` and `#whole` do not share with the blocks. */
  #ownBytes = 0

  constructor(seed: Seed, layer: Layer) {
    this.#layer = layer
    this.#cache = new ListCache(seed, layer)
  }

  /** The list's memory in bytes, without what it shares with the seed. */
  get bytes(): number {
    return this.#ownBytes + this.#cache.bytes
  }

  /** @param position The changed position of the seed; `undefined` for an added pet. */
  invalidate(position: number | undefined): void {
    this.#tail = undefined
    this.#whole = undefined
    this.#ownBytes = 0
    if (position !== undefined) this.#cache.invalidate(position)
  }

  /** Updates a long list without blocking the event loop. Returns `undefined` when there is nothing to prepare. */
  prepare(): Promise<void> | undefined {
    return this.#cache.prepare()
  }

  /** The list in pieces. Kept until the next change. */
  toPieces(): readonly Bytes[] {
    this.#whole ??= this.#write()
    return this.#whole
  }

  #write(): readonly Bytes[] {
    this.#tail = writeBlock(Array.from(this.#layer.added())).bytes
    const list = toList([...this.#cache.toBlocks(), this.#tail])
    // A short list is joined into one piece, which copies its blocks.
    this.#ownBytes = this.#tail.byteLength + (list.length === 1 ? countBytes(list) : 0)
    return list
  }
}
