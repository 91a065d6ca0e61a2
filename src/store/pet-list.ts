import type { Bytes } from '../http/bytes.ts'
import { type Pet, toItemJson } from '../inventory/pet.ts'

const encoder = new TextEncoder()

/** A list of pets as JSON. */
export function writePetList(pets: Iterable<Pet>): Bytes {
  let items = ''
  for (const pet of pets) items += `,${toItemJson(pet)}`
  return encoder.encode(`[${items.slice(1)}]`)
}
