import { quote } from '../http/quote.ts'
import { read } from '../http/schema.ts'
import { isPetStatus, PET, type Pet, type PetKey, readPet } from '../inventory/pet.ts'
import type { StateSnapshot } from '../store/inventory-state.ts'
import { createPetTable, type PetRecord, type PetTable, toPetRecord } from '../store/pet-table.ts'
import { createSeed, type Seed } from '../store/seed.ts'
import { LINE_LENGTH, writePets } from './state-document.ts'

/** A problem in a line of a state document. The message names the path in the line. */
export class StateProblem extends Error {}

/** Parses the pets of a seed. If they are the same as the mock's, it returns the mock's seed instead of a copy. */
export class SeedReader {
  readonly #name: string
  readonly #mockSeed: Seed
  /** The remaining lines of the mock's seed; `undefined` after the first line that differs. */
  #expected: Iterator<string> | undefined
  #count = 0
  #pets: PetTable | undefined

  constructor(name: string, mockSeed: Seed) {
    this.#name = name
    this.#mockSeed = mockSeed
    this.#expected = writePets(mockSeed)[Symbol.iterator]()
  }

  /** Whether a line equals the next line of the mock's seed, so that it need not be parsed. */
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
    if (this.#pets?.has(pet.petId) === true) throw new StateProblem(`${pet.petId} is a duplicate`)
    this.#pets?.put(pet)
  }

  /** The pets before the first difference. */
  #copy(): PetTable {
    const pets = createPetTable()
    for (let position = 0; position < this.#count; position += 1) pets.put(this.#mockSeed.at(position) as Pet)
    return pets
  }
}

/** Parses the changes of a sandbox. */
export class ChangesReader implements StateSnapshot {
  readonly seed: Seed
  readonly removed: Set<PetKey> = new Set()
  readonly changed: PetRecord[] = []
  readonly added: Pet[] = []
  /** The ids of the added pets. */
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
          `must be an array of a position, a quantity and, if it changed, a status, got ${quote(item)}`,
        )
      const [position, quantity] = item as unknown[]
      const own = this.#toOwn(position)
      const status: unknown = item.length === 2 ? own.status : item[2]
      if (!isStock(quantity) || !isPetStatus(status)) refusePet({ petId: own.petId, quantity, status })
      // Reuses the seed's id string, to save memory.
      this.changed.push(toPetRecord({ petId: own.petId, quantity: quantity + 0, status }, own.position))
    })
  }

  add(items: unknown): void {
    forEachItem({ items, list: 'added' }, (item) => {
      const pet = toPet(item)
      if (this.seed.pets.has(pet.petId) && !this.removed.has(pet.petId))
        throw new StateProblem(`${pet.petId} is in the seed and was not removed`)
      if (this.#ids.has(pet.petId)) throw new StateProblem(`${pet.petId} is a duplicate`)
      this.#ids.add(pet.petId)
      this.added.push(pet)
    })
  }

  /** The seed's pet at a position. Fails if it was removed. */
  #toOwn(position: unknown): PetRecord {
    const own = typeof position === 'number' ? this.seed.at(position) : undefined
    if (own !== undefined && !this.removed.has(own.petId)) return own
    throw new StateProblem(`must be the position of a seed pet that was not removed, got ${quote(position)}`)
  }
}

/** Formats an item's path only when it has a problem: there may be millions of valid items. */
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
  return readPet(petId, quantity, status) ?? refusePet({ petId, quantity, status })
}

function isStock(quantity: unknown): quantity is number {
  return Number.isSafeInteger(quantity)
}

function refusePet(pet: object): never {
  const { problems = [] } = read(PET, pet)
  throw new StateProblem(problems.map(({ path, clause }) => `${path} ${clause}`).join('; '))
}
