// The only file that knows @mswjs/data. It takes the library's `Database`, whose records lie in a Map by primary key,
// and leaves its `factory()` aside: that one scans all records in each query, refuses the key 0, loads msw 2, GraphQL,
// lodash and date-fns, and opens a BroadcastChannel wherever there is a window, which would let mocks of parallel
// test files write into each other (https://github.com/mswjs/data/blob/main/src/extensions/sync.ts).
import { Database } from '@mswjs/data/lib/db/Database.js'
import { ENTITY_TYPE, PRIMARY_KEY } from '@mswjs/data/lib/glossary.js'
import { type PetId, type PetKey, toPetId } from '../inventory/pet-id.ts'
import type { PetStatus } from '../inventory/pet-status.ts'

/** One entry of the inventory. Records are never changed, only replaced, so that tables and snapshots can share them. */
export interface Pet {
  readonly petId: PetKey
  readonly quantity: number
  readonly status: PetStatus
}

/** A pet in a table. */
export interface PetRecord extends Pet {
  /** Where it stands among the pets that were put into the table, counted from 0, or where it was said to stand. */
  readonly position: number
}

/** Pets by id, in the order in which they came. */
export interface PetTable {
  readonly size: number
  get(petId: PetKey): PetRecord | undefined
  has(petId: PetKey): boolean
  /**
   * Adds a pet at the end, or replaces the one of the same id where it stands.
   * @param position Where the pet stands in another table, whose positions are to count here too.
   */
  put(pet: Pet, position?: number): void
  delete(petId: PetKey): void
  values(): Iterable<PetRecord>
}

const MODEL = 'pet'
const DICTIONARY = { [MODEL]: { petId: String, quantity: Number, status: String } }

/** What the library wants to find on every record lies on the prototype: a million records need not carry it. */
class DatabaseRecord implements PetRecord {
  readonly petId: PetKey
  readonly quantity: number
  readonly status: PetStatus
  readonly position: number

  constructor({ petId, quantity, status }: Pet, position: number) {
    this.petId = petId
    this.quantity = quantity
    this.status = status
    this.position = position
  }
}
Object.assign(DatabaseRecord.prototype, { [ENTITY_TYPE]: MODEL, [PRIMARY_KEY]: 'petId' })

export function toPetRecord(pet: Pet, position: number): PetRecord {
  return new DatabaseRecord(pet, position)
}

/** The part of the library's class that is used here, under the types that it has here. */
type DatabaseClass = new (
  dictionary: typeof DICTIONARY,
) => {
  getModel(model: string): Map<PetKey, PetRecord>
  create(model: string, record: PetRecord, key: PetKey): void
  delete(model: string, key: PetKey): void
  has(model: string, key: PetKey): boolean
  count(model: string): number
}

/**
 * The library makes a database's id out of a stack trace, which takes longer than all the rest of a sandbox. The id
 * tells databases apart in the sync between tabs, and that is left aside.
 */
class PetDatabase extends (Database as unknown as DatabaseClass) {
  generateId(): string {
    return MODEL
  }

  /** A copy of the record for the events, which the sync between tabs would send. Nobody listens. */
  serializeEntity(record: PetRecord): PetRecord {
    return record
  }
}

export function createPetTable(): PetTable {
  const database = new PetDatabase(DICTIONARY)
  const records = database.getModel(MODEL)
  let next = 0
  return {
    get size() {
      return database.count(MODEL)
    },
    get: (petId) => records.get(petId),
    has: (petId) => database.has(MODEL, petId),
    put(pet, position = records.get(pet.petId)?.position ?? next) {
      next = Math.max(next, position + 1)
      const isRecord = pet instanceof DatabaseRecord && pet.position === position
      database.create(MODEL, isRecord ? pet : toPetRecord(pet, position), pet.petId)
    },
    delete: (petId) => database.delete(MODEL, petId),
    values: () => records.values(),
  }
}

/** One entry of the inventory, as programs get it. */
export interface InventoryItem {
  /** A number where that is exact, else a bigint. */
  readonly petId: PetId
  readonly quantity: number
  readonly status: PetStatus
}

export function toInventoryItem({ petId, quantity, status }: Pet): InventoryItem {
  return { petId: toPetId(petId), quantity, status }
}

/** The entry on the wire. The key is the id's canonical decimal form, and so its JSON number, exact at any size. */
export function toItemJson({ petId, quantity, status }: Pet): string {
  return `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`
}
