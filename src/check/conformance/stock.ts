import { type ListedPet, parsePets } from './listed-pet.ts'

/** The expected list, based on the responses so far. */
export class Stock {
  #pets: Map<string, ListedPet>

  constructor(pets: readonly ListedPet[]) {
    this.#pets = toMap(pets)
  }

  get(petId: string): ListedPet | undefined {
    return this.#pets.get(petId)
  }

  /** Records an accepted update. */
  update(petId: string, quantity: string): void {
    const pet = this.#pets.get(petId)
    if (pet !== undefined) this.#pets.set(petId, { ...pet, quantity })
  }

  /**
   * Compares a list with the expected one, then expects that list from now on, so that one error fails only one case.
   * @param ignored A pet with an unknown quantity, because the service accepted a value that is not an integer.
   * @returns The first difference, as a sentence.
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
