import type { Pet } from '../api/model.ts'

/** A pet in the console's list. */
export interface ListedPet extends Pet {
  /** When it last changed while the page was open, by `performance.now()`; 0 if never. */
  readonly changedAt: number
}

/** The pets in the mock's order. Every change creates a new object around the same Map. */
export interface PetList {
  readonly byId: ReadonlyMap<string, ListedPet>
}

export type PetEvent = { readonly pet: Pet } | { readonly removed: string }

export function createPetList(pets: readonly Pet[] = []): PetList {
  return { byId: new Map(pets.map((pet) => [pet.petId, { ...pet, changedAt: 0 }])) }
}

/** Applies an event to the list. Mutates the Map, because copying a large one for every event is slow. */
export function applyPetEvent({ byId }: PetList, event: PetEvent): PetList {
  const pets = byId as Map<string, ListedPet>
  if ('removed' in event) {
    pets.delete(event.removed)
    return { byId: pets }
  }
  const { pet } = event
  const known = pets.get(pet.petId)
  const isSame = known?.quantity === pet.quantity && known.status === pet.status
  pets.set(pet.petId, { ...pet, changedAt: isSame ? known.changedAt : performance.now() })
  return { byId: pets }
}
