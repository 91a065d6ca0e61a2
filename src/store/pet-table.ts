// Uses only the `Database` of @mswjs/data, which keeps records in a Map by primary key. It avoids `factory()`, which
// scans all records for each query, rejects the key 0, loads msw 2, GraphQL, lodash and date-fns, and opens a
// BroadcastChannel wherever there is a window, so that mocks of parallel test files would write into each other
// (https://github.com/mswjs/data/blob/main/src/extensions/sync.ts).
import { Database } from '@mswjs/data/lib/db/Database.js'
import { ENTITY_TYPE, PRIMARY_KEY } from '@mswjs/data/lib/glossary.js'
import type { Pet, PetKey, PetStatus } from '../inventory/pet.ts'

const MODEL = 'pet'
const DICTIONARY = { [MODEL]: { petId: String, quantity: Number, status: String } }

/** A pet in a table. The library's metadata is on the prototype, to save memory in a million records. */
class PetRecord implements Pet {
  readonly petId: PetKey
  readonly quantity: number
  readonly status: PetStatus

  constructor({ petId, quantity, status }: Pet) {
    this.petId = petId
    this.quantity = quantity
    this.status = status
  }
}
Object.assign(PetRecord.prototype, { [ENTITY_TYPE]: MODEL, [PRIMARY_KEY]: 'petId' })

/** The part of the library's class that this file uses, with more exact types. */
type DatabaseClass = new (
  dictionary: typeof DICTIONARY,
) => {
  getModel(model: string): Map<PetKey, PetRecord>
  create(model: string, record: PetRecord, key: PetKey): void
  delete(model: string, key: PetKey): void
}

/**
 * The library derives a database's id from a stack trace, which takes longer than creating the rest of a sandbox. Only
 * the unused sync between tabs needs the id.
 */
class PetDatabase extends (Database as unknown as DatabaseClass) {
  generateId(): string {
    return MODEL
  }

  /** Avoids the copy that the library makes for its events. They have no listeners. */
  serializeEntity(record: PetRecord): PetRecord {
    return record
  }
}

/** Pets by id, in the order of insertion. */
export class PetTable {
  readonly #database = new PetDatabase(DICTIONARY)
  readonly #records = this.#database.getModel(MODEL)

  constructor(pets: Iterable<Pet> = []) {
    for (const pet of pets) this.put(pet)
  }

  get size(): number {
    return this.#records.size
  }

  get(petId: PetKey): Pet | undefined {
    return this.#records.get(petId)
  }

  /** Adds a pet at the end, or replaces the pet with the same id in its place. */
  put(pet: Pet): void {
    this.#database.create(MODEL, new PetRecord(pet), pet.petId)
  }

  delete(petId: PetKey): void {
    this.#database.delete(MODEL, petId)
  }

  values(): MapIterator<Pet> {
    return this.#records.values()
  }
}
