/** An entry of a service's list. */
export interface ListedPet {
  /** In decimal form. */
  readonly petId: string
  /** In decimal form. */
  readonly quantity: string
  readonly status: unknown
}

/** Reads a list with exact numbers; `undefined` if it is not a list. Invalid entries are skipped. */
export function parsePets(json: unknown): readonly ListedPet[] | undefined {
  return Array.isArray(json) ? json.map(parsePet).filter((pet) => pet !== undefined) : undefined
}

export function parsePet(json: unknown): ListedPet | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const { petId, quantity, status } = json as Readonly<Record<string, unknown>>
  return isInteger(petId) && isInteger(quantity)
    ? { petId: String(petId), quantity: String(quantity), status }
    : undefined
}

/** Whether a value is a JSON integer, read exactly. */
export function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}

/** The update before a list. */
export interface LatestUpdate {
  /** The pets that were updated. */
  readonly updated?: readonly string[]
  /** The quantity that was sent. */
  readonly quantity?: string | undefined
  /** A pet with an unknown quantity, because the service accepted a value that is not an integer. */
  readonly ignored?: string | undefined
  readonly isCompared?: (petId: string) => boolean
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
  /** The pets that others change meanwhile, which are not compared. */
  readonly foreign: Set<string>

  constructor(pets: readonly ListedPet[], foreign: ReadonlySet<string> = new Set()) {
    this.foreign = new Set(foreign)
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

  /** Records an accepted update. */
  update(petId: string, quantity: string): void {
    const pet = this.#pets.get(petId)
    if (pet !== undefined) this.#pets.set(petId, { ...pet, quantity })
  }

  /** The first difference of a list from the expected one, as a sentence. */
  compare(json: unknown, { ignored, isCompared = () => true }: LatestUpdate = {}): string | undefined {
    const listed = parsePets(json)
    if (listed === undefined) return 'The next list is not a list of pets'
    const now = toMap(listed)
    for (const pet of this.#pets.values()) {
      if (this.foreign.has(pet.petId) || !isCompared(pet.petId)) continue
      const difference = findDifference(pet, now.get(pet.petId), pet.petId === ignored)
      if (difference !== undefined) return difference
    }
    const added = listed.find(({ petId }) => !this.#pets.has(petId) && isCompared(petId))
    if (added !== undefined) return `Pet ${added.petId} is in the next list and was not there before`
    const repeated = findRepeated(listed)
    const again = Array.from(repeated).find((petId) => !this.#repeated.has(petId) && isCompared(petId))
    return again === undefined ? undefined : `Pet ${again} has more than one entry in the next list`
  }

  /** Expects a list from now on, so that one error fails only one case. Notes which other pets an update changed. */
  adopt(json: unknown, { updated = [], quantity, ignored }: LatestUpdate = {}): void {
    const listed = parsePets(json)
    if (listed === undefined) return
    const before = this.#pets
    this.#pets = toMap(listed)
    this.#repeated = findRepeated(listed)
    let isSurprising = false
    for (const pet of before.values()) {
      const now = this.#pets.get(pet.petId)
      if (
        now === undefined ||
        this.foreign.has(pet.petId) ||
        findDifference(pet, now, pet.petId === ignored) === undefined
      )
        continue
      this.#changed.add(pet.petId)
      if (now.quantity === quantity) this.#caused.add(pet.petId)
      if (updated.length > 0 && !updated.includes(pet.petId)) isSurprising = true
    }
    if (isSurprising) this.#surprises += 1
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

export function toMap(pets: readonly ListedPet[]): Map<string, ListedPet> {
  return new Map(pets.map((pet) => [pet.petId, pet]))
}
