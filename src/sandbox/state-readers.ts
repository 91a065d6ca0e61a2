import { quote } from '../http/quote.ts'
import { type PetKey, parsePetKey } from '../inventory/pet-id.ts'
import { isPetStatus, PET_STATUSES, type PetStatus } from '../inventory/pet-status.ts'
import type { StateSnapshot } from '../store/inventory-state.ts'
import { createPetTable, type Pet, type PetRecord, type PetTable, toPetRecord } from '../store/pet-table.ts'
import { createSeed, type Seed } from '../store/seed.ts'
import { LINE_LENGTH, writePets } from './state-document.ts'

/** What is wrong with a line of a state document, by its place in the line. */
export class StateProblem extends Error {}

/** Reads the pets of a seed. It stays that of the mock for as long as it has the same pets. */
export class SeedReader {
  readonly #name: string
  readonly #mockSeed: Seed
  /** The lines of the mock's seed, while they are the same. */
  #expected: Iterator<string> | undefined
  #count = 0
  #pets: PetTable | undefined

  constructor(name: string, mockSeed: Seed) {
    this.#name = name
    this.#mockSeed = mockSeed
    this.#expected = writePets(mockSeed)[Symbol.iterator]()
  }

  /** Whether a line is the next one of the mock's seed: then it need not be read. */
  skip(line: string): boolean {
    const next = this.#expected?.next()
    if (next?.value !== `${line}\n`) {
      this.#expected = undefined
      return false
    }
    this.#count = Math.min(this.#count + LINE_LENGTH, this.#mockSeed.pets.size)
    return true
  }

  add(items: unknown): void {
    forEachItem({ items, list: 'pets' }, (item) => this.#add(toPet(item)))
  }

  close(): Seed {
    const isMockSeed = this.#pets === undefined && this.#count === this.#mockSeed.pets.size
    return isMockSeed ? this.#mockSeed : createSeed(this.#name, this.#pets ?? this.#copy())
  }

  #add(pet: Pet): void {
    if (this.#pets === undefined) {
      const own = this.#mockSeed.at(this.#count)
      const isSame = own?.petId === pet.petId && own.quantity === pet.quantity && own.status === pet.status
      if (!isSame) this.#pets = this.#copy()
    }
    this.#count += 1
    if (this.#pets?.has(pet.petId) === true) throw new StateProblem(`${pet.petId} was there before`)
    this.#pets?.put(pet)
  }

  /** What was the same up to here. */
  #copy(): PetTable {
    const pets = createPetTable()
    for (let position = 0; position < this.#count; position += 1) pets.put(this.#mockSeed.at(position) as Pet)
    return pets
  }
}

/** Reads what a sandbox changed of its seed. */
export class ChangesReader implements StateSnapshot {
  readonly seed: Seed
  readonly removed: Set<PetKey> = new Set()
  readonly changed: PetRecord[] = []
  readonly added: Pet[] = []
  /** Those of the added pets. */
  readonly #ids = new Set<PetKey>()

  constructor(seed: Seed) {
    this.seed = seed
  }

  remove(items: unknown): void {
    if (this.changed.length + this.added.length > 0)
      throw new StateProblem('removed: must come before the other changes')
    forEachItem({ items, list: 'removed' }, (position) => this.removed.add(this.#toOwn(position).petId))
  }

  change(items: unknown): void {
    forEachItem({ items, list: 'changed' }, (item) => {
      if (!Array.isArray(item) || item.length < 2 || item.length > 3)
        throw new StateProblem(
          `must be an array of a place, a quantity and, where it changed, a status, got ${quote(item)}`,
        )
      const [position, quantity] = item as unknown[]
      const own = this.#toOwn(position)
      const status: unknown = item.length === 2 ? own.status : item[2]
      assertQuantity(quantity)
      assertStatus(status)
      // With the seed's own text of the id, so that it lies in memory once.
      this.changed.push(toPetRecord({ petId: own.petId, quantity: quantity + 0, status }, own.position))
    })
  }

  add(items: unknown): void {
    forEachItem({ items, list: 'added' }, (item) => {
      const pet = toPet(item)
      if (this.seed.pets.has(pet.petId) && !this.removed.has(pet.petId))
        throw new StateProblem(`${pet.petId} is in the seed and was not removed`)
      if (this.#ids.has(pet.petId)) throw new StateProblem(`${pet.petId} was there before`)
      this.#ids.add(pet.petId)
      this.added.push(pet)
    })
  }

  /** The pet of the seed at a place that is still its own. */
  #toOwn(position: unknown): PetRecord {
    const own = typeof position === 'number' ? this.seed.at(position) : undefined
    if (own !== undefined && !this.removed.has(own.petId)) return own
    throw new StateProblem(`must be the place of a pet in the seed that is not removed, got ${quote(position)}`)
  }
}

/** The place is put into words where there is something to say of it: there are millions of items, and most are good. */
function forEachItem({ items, list }: { items: unknown; list: string }, read: (item: unknown) => void): void {
  if (!Array.isArray(items)) throw new StateProblem(`${list}: must be an array, got ${quote(items)}`)
  let index = 0
  try {
    for (; index < items.length; index += 1) read(items[index])
  } catch (error) {
    throw error instanceof StateProblem ? new StateProblem(`${list}[${index}]: ${error.message}`) : error
  }
}

function toPet(item: unknown): Pet {
  if (!Array.isArray(item) || item.length !== 3)
    throw new StateProblem(`must be an array of petId, quantity and status, got ${quote(item)}`)
  const [petId, quantity, status] = item as unknown[]
  const key = parsePetKey(petId)
  if (key === undefined)
    throw new StateProblem(`petId must be an int64 in decimal form, as a string beyond ±(2^53−1), got ${quote(petId)}`)
  assertQuantity(quantity)
  assertStatus(status)
  return { petId: key, quantity: quantity + 0, status }
}

function assertQuantity(value: unknown): asserts value is number {
  if (!Number.isSafeInteger(value))
    throw new StateProblem(`quantity must be an integer from -(2^53-1) to 2^53-1, got ${quote(value)}`)
}

function assertStatus(value: unknown): asserts value is PetStatus {
  if (!isPetStatus(value))
    throw new StateProblem(`status must be one of ${PET_STATUSES.join(', ')}, got ${quote(value)}`)
}
