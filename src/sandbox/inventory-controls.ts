import * as v from 'valibot'
import { MockError } from '../http/mock-error.ts'
import { object, parseWith, type Schema } from '../http/schema.ts'
import {
  type InventoryItem,
  PET,
  PET_STATUS,
  type Pet,
  type PetIdLike,
  type PetKey,
  type PetStatus,
  QUANTITY,
  toInventoryItem,
  toPetKey,
} from '../inventory/pet.ts'
import type { FixtureItem } from '../store/fixture.ts'
import type { InventoryState } from '../store/inventory-state.ts'
import { COUNT, type PetQuery, parsePetQuery } from '../store/pet-query.ts'

/** The properties of a pet to change. */
export interface PetChange {
  /**
   * The new quantity, an integer from -(2^53−1) to 2^53−1.
   * @default unchanged
   */
  readonly quantity?: number
  /**
   * The new status.
   * @default unchanged
   */
  readonly status?: PetStatus
}

/** The changes of an existing pet. @internal */
export const PET_CHANGE: Schema<PetChange> = v.pipe(
  object<PetChange>({ quantity: v.optional(QUANTITY), status: v.optional(PET_STATUS) }),
  v.check(({ quantity, status }) => quantity !== undefined || status !== undefined, 'it needs quantity or status'),
)

/** @throws {MockError} `INVALID_PET` */
export function parsePetChange(change: unknown): PetChange {
  const refusal = { failure: 'Failed to change a pet', subject: 'the change', code: 'INVALID_PET' } as const
  return parseWith(PET_CHANGE, change, refusal)
}

/** @throws {MockError} `INVALID_PET` */
export function parsePet(pet: unknown): Pet {
  return parseWith(PET, pet, { failure: 'Failed to add a pet', subject: 'the pet', code: 'INVALID_PET' })
}

/** Reads and changes a sandbox's inventory directly, without a request to the service. */
export interface InventoryControls {
  /** The number of pets. */
  readonly size: number
  /** All pets, in the order in which the service lists them. */
  list(): InventoryItem[]
  /** One pet, or `undefined` if it does not exist. */
  get(petId: PetIdLike): InventoryItem | undefined
  /**
   * The pets that match a query, in the query language of `@mswjs/data`.
   * @throws {MockError} `INVALID_QUERY` naming the invalid part.
   * @example
   * mock.inventory.findMany({ where: { quantity: { lte: 3 } }, orderBy: { quantity: 'asc' }, take: 5 })
   */
  findMany(query?: PetQuery): InventoryItem[]
  /**
   * The number of pets that match a query.
   * @throws {MockError} `INVALID_QUERY` naming the invalid part.
   */
  count(query?: Pick<PetQuery, 'where'>): number
  /**
   * Changes a pet's quantity, its status, or both. The `quantity` range of `createMock` does not apply here.
   * @throws {MockError} `UNKNOWN_PET` if there is no such pet, `INVALID_PET` for an invalid value.
   */
  set(petId: PetIdLike, change: PetChange): InventoryItem
  /**
   * Adds a pet at the end of the list. A removed pet of the fixture returns to its old place.
   * @throws {MockError} `DUPLICATE_PET` if the id is taken, `INVALID_PET` for an invalid value.
   */
  add(item: FixtureItem): InventoryItem
  /** Removes a pet. Returns false if there is no such pet. */
  remove(petId: PetIdLike): boolean
}

export function createInventoryControls(state: InventoryState): InventoryControls {
  return {
    get size() {
      return state.size
    },
    list: () => Array.from(state.values(), toInventoryItem),
    get(petId) {
      const pet = state.get(toPetKey(petId))
      return pet && toInventoryItem(pet)
    },
    findMany: (query) => parsePetQuery(query)(state.values()).map(toInventoryItem),
    count: (query) => parsePetQuery(query, COUNT)(state.values()).length,
    set(petId, change) {
      const { quantity, status } = parsePetChange(change)
      const key = toPetKey(petId)
      const pet = state.get(key)
      if (pet === undefined) throw toUnknownPet(key)
      const changed = { petId: key, quantity: quantity ?? pet.quantity, status: status ?? pet.status }
      return toInventoryItem(state.put(changed))
    },
    add(item) {
      const pet = parsePet(item)
      if (state.get(pet.petId) !== undefined) throw toDuplicatePet(pet.petId)
      return toInventoryItem(state.put(pet))
    },
    remove: (petId) => state.remove(toPetKey(petId)),
  }
}

export function toUnknownPet(petId: PetKey): MockError {
  return new MockError('UNKNOWN_PET', `Failed to change pet ${petId}: it does not exist. Add it with inventory.add().`)
}

export function toDuplicatePet(petId: PetKey): MockError {
  return new MockError(
    'DUPLICATE_PET',
    `Failed to add pet ${petId}: it already exists. Change it with inventory.set().`,
  )
}
