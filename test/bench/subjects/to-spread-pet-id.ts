const PRIME = 7919

/** The ids of generated pets, from 1, in an order that leaves none out and keeps neighbours apart. */
export function toSpreadPetId(turn: number, pets: number): number {
  return 1 + ((turn * PRIME) % pets)
}
