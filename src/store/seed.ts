import { createPetTable, type Pet, type PetTable } from './pet-table.ts'

/** A state to start from. Shared by all sandboxes that start from it, and never changed. */
export interface Seed {
  /** The fixture's name or file. */
  readonly name: string
  readonly pets: Pick<PetTable, 'get' | 'has' | 'values' | 'size'>
}

/** Puts the pets of a fixture into a table; their ids differ. */
export function createSeed(name: string, pets: Iterable<Pet>): Seed {
  const table = createPetTable()
  for (const pet of pets) table.put(pet)
  return { name, pets: table }
}
