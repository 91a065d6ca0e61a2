import { type ListedPet, parsePets } from './listed-pet.ts'

/** What the list should show, going by the responses so far. */
export class Stock {
  #pets: Map<string, ListedPet>

  constructor(pets: readonly ListedPet[]) {
    this.#pets = toMap(pets)
  }

  get(petId: string): ListedPet | undefined {
    return this.#pets.get(petId)
  }

  /** Notes an update that the service accepted. */
  update(petId: string, quantity: string): void {
    const pet = this.#pets.get(petId)
    if (pet !== undefined) this.#pets.set(petId, { ...pet, quantity })
  }

  /**
   * Compares a list with what it should show, then takes the list as the truth: one fault fails one case, and not every
   * case after it.
   * @param ignored A pet whose quantity nobody can tell, since the service accepted a value that is not an integer.
   * @returns The first difference, in a sentence.
   */
  compare(json: unknown, ignored?: string): string | undefined {
    const listed = parsePets(json)
    if (listed === undefined) return 'The next list is not a list of pets'
    const before = this.#pets
    this.#pets = toMap(listed)
    for (const pet of before.values()) {
      const difference = findDifference(pet, this.#pets.get(pet.petId), pet.petId === ignored)
      if (difference !== undefined) return difference
    }
    const added = listed.find(({ petId }) => !before.has(petId))
    return added === undefined ? undefined : `Pet ${added.petId} is in the next list and was not there before`
  }
}

function findDifference(pet: ListedPet, listed: ListedPet | undefined, isIgnored: boolean): string | undefined {
  const { petId, quantity, status } = pet
  if (listed === undefined) return `Pet ${petId} is missing from the next list`
  if (listed.status !== status) {
    return `The next list shows pet ${petId} as ${listed.status}, and it was ${status}: an update sets the quantity alone`
  }
  if (isIgnored || listed.quantity === quantity) return undefined
  return `The next list shows quantity ${listed.quantity} for pet ${petId} and should show ${quantity}`
}

function toMap(pets: readonly ListedPet[]): Map<string, ListedPet> {
  return new Map(pets.map((pet) => [pet.petId, pet]))
}
