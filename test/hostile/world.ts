/** The known values of a pet. `perhaps` contains values of updates without a response. */
interface KnownPet {
  quantity: bigint
  status: string
  perhaps: bigint[]
}

const SEED: readonly (readonly [petId: string, quantity: bigint, status: string])[] = [
  ['1', 12n, 'available'],
  ['2', 3n, 'available'],
  ['3', 0n, 'sold'],
  ['4', 7n, 'pending'],
  ['5', 25n, 'available'],
  ['6', 1n, 'available'],
  ['7', 4n, 'pending'],
  ['8', 0n, 'sold'],
  ['9', 18n, 'available'],
  ['10', 2n, 'pending'],
]

/** The model of one sandbox: the expected pets after all acknowledged updates. */
export interface World {
  readonly sandbox: string
  /** The bearer token that opens the sandbox. */
  readonly token: string
  has(petId: string): boolean
  /** The text of a pet, byte for byte. */
  toItem(petId: string): string
  /** The text of the list, byte for byte. */
  toList(): string
  /** An acknowledged update. */
  update(petId: string, quantity: bigint): void
  /** An update without a response, which may have been applied. */
  updatePerhaps(petId: string, quantity: bigint): void
  put(petId: string, pet: { quantity: bigint; status: string }): void
  remove(petId: string): void
  reset(): void
  /** Other pets than those of the seed. */
  load(pets: readonly { petId: string; quantity: bigint; status: string }[]): void
  /** No longer known at all: a change of another kind got no response. The sandbox must be given up. */
  forget(): void
  readonly isForgotten: boolean
  /**
   * Compares a list with the model, and adopts the list's values for uncertain pets.
   * @returns What is wrong.
   */
  compare(list: string): string | undefined
}

export function createWorld(sandbox: string): World {
  const pets = new Map<string, KnownPet>()
  let isForgotten = false
  const reset = (): void => {
    pets.clear()
    for (const [petId, quantity, status] of SEED) pets.set(petId, { quantity, status, perhaps: [] })
  }
  const toItem = (petId: string): string => {
    const pet = pets.get(petId)
    return `{"petId":${petId},"quantity":${pet?.quantity},"status":"${pet?.status}"}`
  }
  const toList = (): string => `[${[...pets.keys()].map(toItem).join(',')}]`
  reset()
  return {
    sandbox,
    token: `demo-key~${sandbox}`,
    has: (petId) => pets.has(petId),
    toItem,
    toList,
    update(petId, quantity) {
      const pet = pets.get(petId)
      if (pet !== undefined) Object.assign(pet, { quantity, perhaps: [] })
    },
    updatePerhaps: (petId, quantity) => void pets.get(petId)?.perhaps.push(quantity),
    put: (petId, pet) => void pets.set(petId, { ...pet, perhaps: [] }),
    remove: (petId) => void pets.delete(petId),
    reset,
    load(items) {
      pets.clear()
      for (const { petId, ...pet } of items) pets.set(petId, { ...pet, perhaps: [] })
    },
    forget() {
      isForgotten = true
    },
    get isForgotten() {
      return isForgotten
    },
    compare(list) {
      if (isForgotten) return undefined
      for (const [petId, pet] of pets) {
        if (pet.perhaps.length === 0) continue
        const [, found] = new RegExp(`\\{"petId":${petId},"quantity":(-?\\d+),`).exec(list) ?? []
        const uncertain = pet.perhaps.find((quantity) => String(quantity) === found)
        if (uncertain !== undefined) pet.quantity = uncertain
        pet.perhaps = []
      }
      return list === toList() ? undefined : `The list is ${list}, and must be ${toList()}`
    },
  }
}
