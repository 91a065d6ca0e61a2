import { type ListedPet, parsePets } from './listed-pet.ts'

/** The update before a list. */
interface LatestUpdate {
  /** The pets that were updated. */
  readonly updated?: readonly string[]
  /** The quantity that was sent. */
  readonly quantity?: string | undefined
  /** A pet with an unknown quantity, because the service accepted a value that is not an integer. */
  readonly ignored?: string | undefined
}

/** How many updates change another pet before they are taken for the cause. */
const MANY_SURPRISES = 3

/** The expected list, based on the responses so far. */
export class Stock {
  #pets: Map<string, ListedPet>
  #repeated: ReadonlySet<string>
  readonly #changed = new Set<string>()
  readonly #caused = new Set<string>()
  #surprises = 0

  constructor(pets: readonly ListedPet[]) {
    this.#pets = toMap(pets)
    this.#repeated = findRepeated(pets)
  }

  /** The expected list, by id. */
  get pets(): ReadonlyMap<string, ListedPet> {
    return this.#pets
  }

  /** Whether updates change other pets too, which another client would not do so often. */
  get hasSideEffects(): boolean {
    return this.#surprises >= MANY_SURPRISES
  }

  /** The pets that updates of other pets changed. */
  get sideEffects(): ReadonlySet<string> {
    return this.hasSideEffects ? this.#changed : this.#caused
  }

  get(petId: string): ListedPet | undefined {
    return this.#pets.get(petId)
  }

  /** The pet with a quantity. */
  find(quantity: string): ListedPet | undefined {
    return this.#pets.values().find((pet) => pet.quantity === quantity)
  }

  /** Records an accepted update. */
  update(petId: string, quantity: string): void {
    const pet = this.#pets.get(petId)
    if (pet !== undefined) this.#pets.set(petId, { ...pet, quantity })
  }

  /**
   * Compares a list with the expected one, then expects that list from now on, so that one error fails only one case.
   * @returns The first difference, as a sentence.
   */
  compare(json: unknown, { updated = [], quantity, ignored }: LatestUpdate = {}): string | undefined {
    const listed = parsePets(json)
    if (listed === undefined) return 'The next list is not a list of pets'
    const before = this.#pets
    const repeatedBefore = this.#repeated
    this.#pets = toMap(listed)
    this.#repeated = findRepeated(listed)
    const differences: string[] = []
    let isSurprising = false
    for (const pet of before.values()) {
      const difference = findDifference(pet, this.#pets.get(pet.petId), pet.petId === ignored)
      if (difference === undefined) continue
      differences.push(difference)
      const now = this.#pets.get(pet.petId)
      if (now === undefined) continue
      this.#changed.add(pet.petId)
      if (now.quantity === quantity) this.#caused.add(pet.petId)
      if (updated.length > 0 && !updated.includes(pet.petId)) isSurprising = true
    }
    if (isSurprising) this.#surprises += 1
    const added = listed.find(({ petId }) => !before.has(petId))
    if (added !== undefined) differences.push(`Pet ${added.petId} is in the next list and was not there before`)
    const repeated = this.#repeated.values().find((petId) => !repeatedBefore.has(petId))
    if (repeated !== undefined) differences.push(`Pet ${repeated} has more than one entry in the next list`)
    return differences[0]
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

/** The pets with more than one entry. */
export function findRepeated(pets: readonly ListedPet[]): ReadonlySet<string> {
  const seen = new Set<string>()
  return new Set(pets.map(({ petId }) => petId).filter((petId) => seen.size === seen.add(petId).size))
}

function toMap(pets: readonly ListedPet[]): Map<string, ListedPet> {
  return new Map(pets.map((pet) => [pet.petId, pet]))
}
