import type { ListedPet } from './listed-pet.ts'

/** The pets that the cases update. */
export interface ChosenPets {
  /** The pet that most cases update; `undefined` if there is none. */
  readonly pet: ListedPet | undefined
  /** Another pet, from the other end of the list. */
  readonly otherPet: ListedPet | undefined
  /** Pets with ids that JavaScript numbers cannot represent: two that round to the same number, or just one. */
  readonly largePets: readonly ListedPet[]
  /** The first pet with each status. */
  readonly petsByStatus: ReadonlyMap<unknown, ListedPet>
  /** An id that no pet has, and that rounds to the same double as a pet's. */
  readonly absentNeighbour: string | undefined
}

/**
 * @param pets The pets that may be updated.
 * @param known The ids of all pets.
 */
export function choosePets(pets: readonly ListedPet[], known: ReadonlySet<string>): ChosenPets {
  return {
    pet: pets[0],
    otherPet: pets.length > 1 ? pets.at(-1) : undefined,
    largePets: findLargePets(pets),
    petsByStatus: new Map(pets.toReversed().map((pet) => [pet.status, pet])),
    absentNeighbour: pets.flatMap(({ petId }) => findNeighbours(petId)).find((id) => !known.has(id)),
  }
}

/** All of them, without repetition. */
export function listChosen({ pet, otherPet, largePets, petsByStatus }: ChosenPets): readonly ListedPet[] {
  const pets = [pet, otherPet, ...largePets, ...petsByStatus.values()]
  return [...new Set(pets.filter((each) => each !== undefined))]
}

function findLargePets(pets: readonly ListedPet[]): readonly ListedPet[] {
  const large = pets.filter(({ petId }) => isLarge(petId))
  const byDouble = Map.groupBy(large, ({ petId }) => Number(petId))
  const pair = Array.from(byDouble.values()).find(({ length }) => length > 1)
  return (pair ?? large.slice(0, 1)).slice(0, 2)
}

function isLarge(petId: string): boolean {
  return !Number.isSafeInteger(Number(petId))
}

/** Other int64s that round to the same double as an id. */
function findNeighbours(petId: string): string[] {
  if (!isLarge(petId)) return []
  const id = BigInt(petId)
  return [-1n, 1n, -2n, 2n]
    .map((distance) => id + distance)
    .filter((each) => BigInt.asIntN(64, each) === each && Number(each) === Number(id))
    .map(String)
}
