import { type Bytes, countBytes, joinBytes } from '../http/bytes.ts'
import type { Pet } from './pet-table.ts'
import { toItemJson } from './pet-table.ts'

/** The number of pets in a block. A change rewrites only its own block. */
export const BLOCK_SIZE = 512

/** In bytes. Shorter lists are joined, because one piece is cheaper to send than several. */
const LARGEST_PIECE = 65_536

const encoder = new TextEncoder()
const [OPEN, CLOSE] = [encoder.encode('['), encoder.encode(']')]

/** A part of the list as JSON. Each place holds a comma and a pet, or is empty. */
export interface Block {
  readonly bytes: Bytes
  /** The end of each place, as a byte offset. */
  readonly ends: Uint32Array
}

export function writeBlock(pets: readonly Pet[]): Block {
  const ends = new Uint32Array(pets.length)
  let text = ''
  for (const [place, pet] of pets.entries()) {
    text += toPlace(pet)
    // One character is one byte: ids, quantities and statuses are ASCII.
    ends[place] = text.length
  }
  return { bytes: encoder.encode(text), ends }
}

/**
 * Replaces the pets in some places of a block. The bytes in between are copied, 50 times faster than serializing them.
 * @param changes The pets by place; `undefined` empties a place.
 */
export function patchBlock({ bytes, ends }: Block, changes: ReadonlyMap<number, Pet | undefined>): Block {
  const pieces: Uint8Array[] = []
  const newEnds = ends.slice()
  let [copied, shift, next] = [0, 0, 0]
  const shiftUpTo = (place: number): void => {
    for (; next < place; next += 1) newEnds[next] = (ends[next] ?? 0) + shift
  }
  for (const place of Array.from(changes.keys()).sort((a, b) => a - b)) {
    const [start, end] = [ends[place - 1] ?? 0, ends[place] ?? 0]
    const pet = changes.get(place)
    const written = encoder.encode(pet === undefined ? '' : toPlace(pet))
    pieces.push(bytes.subarray(copied, start), written)
    shiftUpTo(place)
    shift += written.byteLength - (end - start)
    copied = end
  }
  shiftUpTo(ends.length)
  return { bytes: joinBytes([...pieces, bytes.subarray(copied)]), ends: newEnds }
}

function toPlace(pet: Pet): string {
  return `,${toItemJson(pet)}`
}

/** Joins blocks into a JSON array. */
export function toList(blocks: readonly Bytes[]): readonly Bytes[] {
  const [first, ...rest] = blocks.filter(({ byteLength }) => byteLength > 0)
  const pieces = first === undefined ? [OPEN, CLOSE] : [OPEN, first.subarray(1), ...rest, CLOSE]
  return countBytes(pieces) <= LARGEST_PIECE ? [joinBytes(pieces)] : pieces
}
