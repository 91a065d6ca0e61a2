import type { Pet } from '../api/model.ts'

/** A pet as the console keeps it. */
export interface ListedPet extends Pet {
  /** When it last changed under our eyes, by `performance.now()`; 0 where it did not. */
  readonly changedAt: number
}

/** The pets in the order of the mock. Another object after every change, over the same Map. */
export interface PetList {
  readonly byId: ReadonlyMap<string, ListedPet>
}

export type PetEvent = { readonly pet: Pet } | { readonly removed: string }

export function createPetList(pets: readonly Pet[] = []): PetList {
  return { byId: new Map(pets.map((pet) => [pet.petId, { ...pet, changedAt: 0 }])) }
}

/** The list after an event. The Map itself is changed: a copy of a large one at every event would be slow. */
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
