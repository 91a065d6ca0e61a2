// The only file that knows @mswjs/data. It takes the library's `Database`, whose records lie in a Map by primary key,
// and leaves its `factory()` aside: that one scans all records in each query, refuses the key 0, loads msw 2, GraphQL,
// lodash and date-fns, and opens a BroadcastChannel wherever there is a window, which would let mocks of parallel
// test files write into each other (https://github.com/mswjs/data/blob/main/src/extensions/sync.ts).
import { Database } from '@mswjs/data/lib/db/Database.js'
import { ENTITY_TYPE, PRIMARY_KEY } from '@mswjs/data/lib/glossary.js'
import type { PetStatus } from '../contract/pet-status.ts'
import type { PetKey } from '../inventory/pet-id.ts'

/** One entry of the inventory. Records are never changed, only replaced, so that tables and snapshots can share them. */
export interface Pet {
  readonly petId: PetKey
  readonly quantity: number
  readonly status: PetStatus
}

/** Pets by id, in the order in which they came. */
export interface PetTable<Record extends Pet = Pet> {
  readonly size: number
  get(petId: PetKey): Record | undefined
  has(petId: PetKey): boolean
  /** Adds a pet at the end, or replaces the one of the same id where it stands. */
  put(pet: Record): void
  delete(petId: PetKey): void
  values(): Iterable<Record>
}

const MODEL = 'pet'
const INTERNALS = { [ENTITY_TYPE]: MODEL, [PRIMARY_KEY]: 'petId' } as const
const DICTIONARY = { [MODEL]: { petId: String, quantity: Number, status: String } }

export function createPetTable<Record extends Pet = Pet>(): PetTable<Record> {
  const database = new Database(DICTIONARY as never)
  const records = database.getModel(MODEL) as unknown as Map<PetKey, Record>
  return {
    get size() {
      return database.count(MODEL)
    },
    get: (petId) => records.get(petId),
    has: (petId) => database.has(MODEL, petId),
    put: (pet) => void database.create(MODEL, { ...pet, ...INTERNALS } as never, pet.petId),
    delete: (petId) => database.delete(MODEL, petId),
    values: () => records.values(),
  }
}
