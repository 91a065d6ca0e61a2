import { type Bytes, countBytes, joinBytes } from '../contract/bytes.ts'
import { toItemJson } from './inventory-item.ts'
import type { Pet } from './pet-table.ts'

/** How many pets of a list are written as one block. A change makes its block anew, and leaves all others. */
export const BLOCK_SIZE = 512

/** In bytes. Shorter lists are one piece, which is cheaper to send than several. */
const LARGEST_PIECE = 65_536

const encoder = new TextEncoder()
const [OPEN, CLOSE] = [encoder.encode('['), encoder.encode(']')]

/** Pets on the wire, each after a comma. */
export function toBlock(pets: Iterable<Pet>): Bytes {
  let text = ''
  for (const pet of pets) text += `,${toItemJson(pet)}`
  return encoder.encode(text)
}

/** The list on the wire, out of its blocks. */
export function toList(blocks: readonly Bytes[]): readonly Bytes[] {
  const [first, ...rest] = blocks.filter(({ byteLength }) => byteLength > 0)
  const pieces = first === undefined ? [OPEN, CLOSE] : [OPEN, first.subarray(1), ...rest, CLOSE]
  return countBytes(pieces) <= LARGEST_PIECE ? [joinBytes(pieces)] : pieces
}
