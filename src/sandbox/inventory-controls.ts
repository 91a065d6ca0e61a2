import { assertKnown } from '../http/assert-known.ts'
import { MockError } from '../http/mock-error.ts'
import { quote } from '../http/quote.ts'
import { type PetIdLike, type PetKey, toPetKey } from '../inventory/pet-id.ts'
import { isPetStatus, PET_STATUSES, type PetStatus } from '../inventory/pet-status.ts'
import type { FixtureItem } from '../store/fixture.ts'
import type { InventoryState } from '../store/inventory-state.ts'
import { type PetQuery, parsePetQuery } from '../store/pet-query.ts'
import type { Pet } from '../store/pet-table.ts'
import { type InventoryItem, toInventoryItem } from '../store/pet-table.ts'

/** What a test may change of a pet. */
export interface PetChange {
  readonly quantity?: number
  readonly status?: PetStatus
}

/** A sandbox's inventory, to look at and to arrange, beside the service's own operations. */
export interface InventoryControls {
  /** The number of pets. */
  readonly size: number
  /** All pets, in the order of the service's list. */
  list(): InventoryItem[]
  /** One pet, or `undefined` where it is not there. */
  get(petId: PetIdLike): InventoryItem | undefined
  /**
   * The pets that fit a query of @mswjs/data.
   * @throws {MockError} `INVALID_QUERY` naming what is not understood.
   * @example
   * mock.inventory.findMany({ where: { quantity: { lte: 3 } }, orderBy: { quantity: 'asc' }, take: 5 })
   */
  findMany(query?: PetQuery): InventoryItem[]
  /** How many pets fit. @throws {MockError} `INVALID_QUERY` */
  count(query?: Pick<PetQuery, 'where'>): number
  /**
   * Changes a pet's quantity, its status, or both. `createMock`'s `quantity` range does not bind it.
   * @throws {MockError} `UNKNOWN_PET`, or `INVALID_PET` for a value that no pet can have.
   */
  set(petId: PetIdLike, change: PetChange): InventoryItem
  /**
   * Adds a pet at the end of the list.
   * @throws {MockError} `DUPLICATE_PET`, or `INVALID_PET` for a value that no pet can have.
   */
  add(item: FixtureItem): InventoryItem
  /** Takes a pet out; says whether it was there. */
  remove(petId: PetIdLike): boolean
}

export function createInventoryControls(state: InventoryState): InventoryControls {
  return new StateControls(state)
}

class StateControls implements InventoryControls {
  readonly #state: InventoryState

  constructor(state: InventoryState) {
    this.#state = state
  }

  get size(): number {
    return this.#state.size
  }

  list(): InventoryItem[] {
    return Array.from(this.#state.values(), toInventoryItem)
  }

  get(petId: PetIdLike): InventoryItem | undefined {
    const pet = this.#state.get(toPetKey(petId))
    return pet === undefined ? undefined : toInventoryItem(pet)
  }

  findMany(query: PetQuery = {}): InventoryItem[] {
    const { matches, arrange } = parsePetQuery(query)
    return arrange(Array.from(this.#state.values()).filter(matches)).map(toInventoryItem)
  }

  count(query: Pick<PetQuery, 'where'> = {}): number {
    const { matches } = parsePetQuery(query)
    return Array.from(this.#state.values()).filter(matches).length
  }

  set(petId: PetIdLike, change: PetChange): InventoryItem {
    assertKnown(change, { failure: 'Failed to change a pet', known: ['quantity', 'status'], code: 'INVALID_PET' })
    const key = toPetKey(petId)
    const { quantity, status } = this.#state.get(key) ?? throwUnknownPet(key)
    return this.#put({ petId: key, quantity: change.quantity ?? quantity, status: change.status ?? status })
  }

  add({ petId, quantity, status }: FixtureItem): InventoryItem {
    const key = toPetKey(petId)
    if (this.#state.get(key) === undefined) return this.#put({ petId: key, quantity, status })
    throw new MockError(
      'DUPLICATE_PET',
      `Failed to add pet ${key}: it is there already. Change it with inventory.set().`,
    )
  }

  remove(petId: PetIdLike): boolean {
    return this.#state.remove(toPetKey(petId))
  }

  #put(given: Pet): InventoryItem {
    assertPet(given)
    // -0 is the number 0.
    const pet = { ...given, quantity: given.quantity + 0 }
    this.#state.put(pet)
    return toInventoryItem(pet)
  }
}

function throwUnknownPet(key: PetKey): never {
  throw new MockError('UNKNOWN_PET', `Failed to change pet ${key}: it is not there. Add it with inventory.add().`)
}

function assertPet({ petId, quantity, status }: Pet): void {
  if (!Number.isSafeInteger(quantity)) {
    throw new MockError(
      'INVALID_PET',
      `Failed to store pet ${petId}: quantity must be an integer from -(2^53-1) to 2^53-1, got ${quote(quantity)}.`,
    )
  }
  if (!isPetStatus(status)) {
    throw new MockError(
      'INVALID_PET',
      `Failed to store pet ${petId}: status must be one of ${PET_STATUSES.join(', ')}, got ${quote(status)}.`,
    )
  }
}
