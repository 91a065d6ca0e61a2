import { type Bytes, countBytes, joinBytes } from '../http/bytes.ts'
import { type Pet, toItemJson } from '../inventory/pet.ts'

/** The number of pets in a block. */
export const BLOCK_SIZE = 512
/** In bytes. Shorter lists are joined, because one piece is cheaper to send than several. */
const LARGEST_PIECE = 65_536

const encoder = new TextEncoder()
const [OPEN, CLOSE] = [encoder.encode('['), encoder.encode(']')]

/** The pets of a list. */
export interface ListSource {
  /** The number of positions. */
  readonly length: number
  /** The pet at a position; `undefined` if it was removed. */
  at(position: number): Pet | undefined
  /** The pets after the last position. */
  added(): Iterable<Pet>
}

/** A list of pets as JSON, cached in blocks. A change rewrites only the block of the changed pet. */
export class PetList {
  readonly #pets: ListSource
  /** The list whose blocks this one shares while none of their pets has changed. */
  readonly #base: PetList | undefined
  readonly #count: number
  /** The list's own blocks by index; `undefined` until the next `toPieces()` writes it. */
  readonly #blocks = new Map<number, Bytes | undefined>()
  #pieces: readonly Bytes[] | undefined
  #pieceBytes = 0

  constructor(pets: ListSource, base?: PetList) {
    this.#pets = pets
    this.#base = base
    this.#count = Math.ceil(pets.length / BLOCK_SIZE)
  }

  /** The memory of this list in bytes, without what it shares with its base. */
  get bytes(): number {
    return countBytes([...this.#blocks.values()].filter((block) => block !== undefined)) + this.#pieceBytes
  }

  /** Marks the pet at a position as changed. A position after the last one stands for the added pets. */
  invalidate(position: number): void {
    this.#dropPieces()
    if (position < this.#pets.length) this.#blocks.set(Math.floor(position / BLOCK_SIZE), undefined)
  }

  /** Frees all memory. The next `toPieces()` writes the list again. */
  drop(): void {
    this.#dropPieces()
    for (const index of this.#blocks.keys()) this.#blocks.set(index, undefined)
  }

  /** The list in pieces, the same until the next change. */
  toPieces(): readonly Bytes[] {
    this.#pieces ??= this.#join()
    return this.#pieces
  }

  #join(): readonly Bytes[] {
    const tail = writePets(this.#pets.added())
    const blocks = [...Array.from({ length: this.#count }, (_, index) => this.#toBlock(index)), tail]
    const [first, ...rest] = blocks.filter(({ byteLength }) => byteLength > 0)
    const pieces = first === undefined ? [OPEN, CLOSE] : [OPEN, first.subarray(1), ...rest, CLOSE]
    const size = countBytes(pieces)
    const isShort = size <= LARGEST_PIECE
    this.#pieceBytes = tail.byteLength + (isShort ? size : 0)
    return isShort ? [joinBytes(pieces)] : pieces
  }

  #toBlock(index: number): Bytes {
    if (this.#base !== undefined && !this.#blocks.has(index)) return this.#base.#toBlock(index)
    return this.#blocks.get(index) ?? this.#write(index)
  }

  #write(index: number): Bytes {
    const block = writePets(this.#petsOf(index))
    this.#blocks.set(index, block)
    return block
  }

  *#petsOf(index: number): Generator<Pet> {
    const end = Math.min((index + 1) * BLOCK_SIZE, this.#pets.length)
    for (let position = index * BLOCK_SIZE; position < end; position += 1) {
      const pet = this.#pets.at(position)
      if (pet !== undefined) yield pet
    }
  }

  #dropPieces(): void {
    this.#pieces = undefined
    this.#pieceBytes = 0
  }
}

/** Pets as JSON, each after a comma. */
function writePets(pets: Iterable<Pet>): Bytes {
  let text = ''
  for (const pet of pets) text += `,${toItemJson(pet)}`
  return encoder.encode(text)
}
