import type { ListedPet } from './stock.ts'

/** The pets that the cases update, and ids that no pet has. */
export interface ChosenPets {
  /** The pet that most cases update; `undefined` if there is none. */
  readonly pet: ListedPet | undefined
  /** Another pet, from the other end of the list. */
  readonly otherPet: ListedPet | undefined
  /** Pets with ids that JavaScript numbers cannot represent: two that round to the same number, or just one. */
  readonly largePets: readonly ListedPet[]
  /** The first pet with each status. */
  readonly petsByStatus: ReadonlyMap<unknown, ListedPet>
  /** All of these, without repetition. */
  readonly all: readonly ListedPet[]
  /** An int32 that no pet has, which any implementation accepts as a petId. */
  readonly absentPetId: string
  /** An id that no pet has, and that is a pet's if it is cut to 32 bits. */
  readonly absentLongId: string
  /** An id that no pet has, and that rounds to the same double as a pet's. */
  readonly absentNeighbour: string | undefined
}

export function choosePets(all: readonly ListedPet[], eligible: ReadonlySet<string>): ChosenPets {
  const known = new Set(all.map(({ petId }) => petId))
  const pets = all.filter(({ petId }) => eligible.has(petId))
  const [pet] = pets
  const otherPet = pets.length > 1 ? pets.at(-1) : undefined
  const largePets = findLargePets(pets)
  const petsByStatus = new Map(pets.toReversed().map((each) => [each.status, each]))
  const chosen = [pet, otherPet, ...largePets, ...petsByStatus.values()].filter((each) => each !== undefined)
  return {
    pet,
    otherPet,
    largePets,
    petsByStatus,
    all: [...new Set(chosen)],
    absentPetId: findAbsent(known, 999_999_937n, -1n),
    absentLongId: findAbsent(known, BigInt.asIntN(32, BigInt(pet?.petId ?? 0)) + 2n ** 32n, 2n ** 32n),
    absentNeighbour: pets.flatMap(({ petId }) => findNeighbours(petId)).find((id) => !known.has(id)),
  }
}

/** Inside the ranges that services usually accept, and unlikely in anybody's tests. */
const FIRST_QUANTITY = 613

/** The new quantities that the cases send. */
export class Quantities {
  /** Ranges to try, because the specification shows none. The last one is that of the stock itself. */
  readonly ranges: readonly (readonly [lowest: number, highest: number])[]
  #range: readonly [number, number] = [FIRST_QUANTITY, Number.MAX_SAFE_INTEGER]
  #last = FIRST_QUANTITY - 1

  constructor(pets: readonly ListedPet[]) {
    const inStock = pets.map(({ quantity }) => Number(quantity)).sort((one, other) => one - other)
    const last = [inStock[0] ?? 0, inStock.at(-1) ?? 0] as const
    this.ranges = [[FIRST_QUANTITY, 999], [53, 99], [11, 19], [3, 9], [1, 2], last]
  }

  /** Sets the lowest and the highest quantity. @default from 613 on */
  use(range: readonly [number, number]): void {
    this.#range = range
    this.#last = range[0] - 1
  }

  next(): number {
    const [lowest, highest] = this.#range
    // After a sale, a pet does not have the quantity of the update before.
    const step = highest - lowest > 100 ? 3 : 1
    this.#last = this.#last + step <= highest ? this.#last + step : lowest
    return this.#last
  }
}

function findAbsent(known: ReadonlySet<string>, start: bigint, step: bigint): string {
  let id = start
  while (known.has(String(id))) id += step
  return String(id)
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
