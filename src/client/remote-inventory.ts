import { assertNoArgument } from '../http/assert-no-argument.ts'
import { MockError } from '../http/mock-error.ts'
import { type InventoryItem, type PetIdLike, toPetKey } from '../inventory/pet.ts'
import { type PetChange, parseChange, parsePet } from '../sandbox/inventory-controls.ts'
import type { FixtureItem } from '../store/fixture.ts'
import type { PetQuery } from '../store/pet-query.ts'
import { type Control, toJson } from './create-control.ts'

/** `mock.inventory` of a mock in another process. */
export interface RemoteInventory {
  /** All pets, in the order in which the service lists them. */
  list(): Promise<InventoryItem[]>
  /** One pet, or `undefined` if it does not exist. */
  get(petId: PetIdLike): Promise<InventoryItem | undefined>
  /**
   * The pets that match a query, in the query language of `@mswjs/data`.
   * @throws {MockError} `CONTROL_REFUSED` naming the invalid part, `INVALID_OPTION` for one that is `undefined`.
   */
  findMany(query?: PetQuery): Promise<InventoryItem[]>
  /**
   * The number of pets that match a query.
   * @throws {MockError} `CONTROL_REFUSED` naming the invalid part, `INVALID_OPTION` for one that is `undefined`.
   */
  count(query?: Pick<PetQuery, 'where'>): Promise<number>
  /**
   * Changes a pet's quantity, its status, or both.
   * @throws {MockError} `UNKNOWN_PET` if there is no such pet, `CONTROL_REFUSED` for an invalid value.
   */
  set(petId: PetIdLike, change: PetChange): Promise<InventoryItem>
  /**
   * Adds a pet at the end of the list.
   * @throws {MockError} `DUPLICATE_PET` if the id is taken, `CONTROL_REFUSED` for an invalid value.
   */
  add(item: FixtureItem): Promise<InventoryItem>
  /** Removes a pet. Resolves to false if there is no such pet. */
  remove(petId: PetIdLike): Promise<boolean>
}

/** `set` and `add` first check whether the pet exists. The check is not atomic: use a sandbox in one test at a time. */
export function createRemoteInventory({ ask, find }: Control): RemoteInventory {
  const toPath = (petId: PetIdLike) => ({ params: { petId: toPetKey(petId) } })
  const get = (petId: PetIdLike): Promise<InventoryItem | undefined> => find('getPetState', toPath(petId))
  const put = (petId: PetIdLike, body: PetChange): Promise<InventoryItem> => ask('putPet', { ...toPath(petId), body })

  return {
    async list(filter?: undefined) {
      assertNoArgument('inventory.list', [filter], 'Use findMany({ where }).')
      return (await ask('getState')).inventory
    },
    get,
    findMany: async (query = {}) => (await ask('findPets', { query: toParameters(query) })).pets,
    count: async (query = {}) => (await ask('findPets', { query: toParameters({ ...query, take: 0 }) })).count,
    async set(petId, given) {
      const change = parseChange(given)
      if ((await get(petId)) !== undefined) return put(petId, change)
      throw new MockError(
        'UNKNOWN_PET',
        `Failed to change pet ${petId}: it does not exist. Add it with inventory.add().`,
      )
    },
    async add(item) {
      const { petId, quantity, status } = parsePet(item)
      if ((await get(petId)) === undefined) return put(petId, { quantity, status })
      throw new MockError(
        'DUPLICATE_PET',
        `Failed to add pet ${petId}: it already exists. Change it with inventory.set().`,
      )
    },
    remove: async (petId) => (await find('deletePet', toPath(petId))) !== undefined,
  }
}

/**
 * Serializes each property of the query as JSON. A bigint becomes its decimal digits. Strict, because a condition that is
 * `undefined` would be left out and match every pet.
 */
function toParameters(query: PetQuery): Readonly<Record<string, string>> {
  const defined = Object.entries(query).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    defined.map(([name, value]) => [name, toJson(value, { route: 'GET /_mock/pets', path: name, isStrict: true })]),
  )
}
