import type { Bytes } from '../http/bytes.ts'
import type { PetKey } from '../inventory/pet-id.ts'
import { toList, writeBlock } from './list-bytes.ts'
import { MendedList } from './list-cache.ts'
import { createPetTable, type Pet, type PetTable } from './pet-table.ts'
import type { Seed } from './seed.ts'

/** The inventory of one sandbox: a thin layer of changes over a seed. */
export interface InventoryState {
  /** What lies under the changes. */
  readonly seed: Seed
  /** The number of pets. */
  readonly size: number
  /** How many pets differ from the seed. */
  readonly changes: number
  get(petId: PetKey): Pet | undefined
  /** In the order of the seed; pets added later come last, and a change does not move a pet. */
  values(): Iterable<Pet>
  /** The list as the service sends it. Kept, as far as it stays the same. */
  toList(): readonly Bytes[]
  /** Makes a long list ready without holding up anybody else; `undefined` where it is. */
  prepare(): Promise<void> | undefined
  /** Adds a pet or replaces the one of the same id. */
  put(pet: Pet): void
  /** Takes a pet out; says whether it was there. */
  remove(petId: PetKey): boolean
  /** Drops the changes, and goes over to another seed where one is given. */
  reset(seed?: Seed): void
  snapshot(): StateSnapshot
  restore(snapshot: StateSnapshot): void
}

/** A state to return to. It shares its records with the inventory it was taken of. */
export interface StateSnapshot {
  readonly seed: Seed
  readonly changed: readonly Pet[]
  readonly removed: ReadonlySet<PetKey>
}

/** What changed in a state. */
export type StateChange =
  | { readonly type: 'pet'; readonly pet: Pet }
  | { readonly type: 'pet-removed'; readonly petId: PetKey }
  /** The state as a whole is another. */
  | { readonly type: 'state' }

/** @param notify Told of every change, when it is made. */
export function createInventoryState(seed: Seed, notify: (change: StateChange) => void = () => {}): InventoryState {
  return new LayeredState(seed, notify)
}

/** The parts of the layer are made when they are needed: most sandboxes change a pet or two. */
class LayeredState implements InventoryState {
  readonly #notify: (change: StateChange) => void
  #seed: Seed
  /** Pets of the seed that differ from it, in their places. */
  #changed: PetTable | undefined
  /** Pets at the end of the list: those that the seed has not, and those that were taken out and added anew. */
  #added: PetTable | undefined
  /** Pets of the seed that lost their places. */
  #removed: Set<PetKey> | undefined
  /** The seed's places on the wire, where some of them changed. */
  #mended: MendedList | undefined
  /** The added pets on the wire. */
  #tail: Bytes | undefined
  #list: readonly Bytes[] | undefined

  constructor(seed: Seed, notify: (change: StateChange) => void) {
    this.#seed = seed
    this.#notify = notify
  }

  get seed(): Seed {
    return this.#seed
  }

  get size(): number {
    return this.#seed.pets.size - (this.#removed?.size ?? 0) + (this.#added?.size ?? 0)
  }

  get changes(): number {
    const removed = this.#removed ?? new Set()
    const added = Array.from(this.#added?.values() ?? []).filter(({ petId }) => !removed.has(petId))
    return (this.#changed?.size ?? 0) + removed.size + added.length
  }

  get(petId: PetKey): Pet | undefined {
    const own = this.#changed?.get(petId) ?? this.#added?.get(petId)
    return own ?? (this.#isInPlace(petId) ? this.#seed.pets.get(petId) : undefined)
  }

  *values(): Generator<Pet> {
    for (const pet of this.#seed.pets.values()) {
      if (this.#removed?.has(pet.petId) !== true) yield this.#changed?.get(pet.petId) ?? pet
    }
    yield* this.#added?.values() ?? []
  }

  /** What is in a place of the seed's list now. */
  at(position: number): Pet | undefined {
    const pet = this.#seed.at(position)
    if (pet === undefined || this.#removed?.has(pet.petId) === true) return undefined
    return this.#changed?.get(pet.petId) ?? pet
  }

  prepare(): Promise<void> | undefined {
    return (this.#mended ?? this.#seed).prepare()
  }

  toList(): readonly Bytes[] {
    this.#list ??= this.#hasOwn() ? this.#writeList() : this.#seed.toList()
    return this.#list
  }

  put(pet: Pet): void {
    this.#put(pet)
    this.#notify({ type: 'pet', pet })
  }

  remove(petId: PetKey): boolean {
    if (this.get(petId) === undefined) return false
    this.#added?.delete(petId)
    this.#changed?.delete(petId)
    if (this.#seed.pets.has(petId)) this.#markRemoved(petId)
    this.#touch(petId)
    this.#notify({ type: 'pet-removed', petId })
    return true
  }

  reset(seed: Seed = this.#seed): void {
    this.#dropLayer(seed)
    this.#notify({ type: 'state' })
  }

  snapshot(): StateSnapshot {
    const pets = [...(this.#changed?.values() ?? []), ...(this.#added?.values() ?? [])]
    return { seed: this.#seed, changed: pets, removed: new Set(this.#removed) }
  }

  restore({ seed, changed, removed }: StateSnapshot): void {
    this.#dropLayer(seed)
    for (const petId of removed) {
      this.#markRemoved(petId)
      this.#touch(petId)
    }
    for (const pet of changed) this.#put(pet)
    this.#notify({ type: 'state' })
  }

  #isInPlace(petId: PetKey): boolean {
    return this.#seed.pets.has(petId) && this.#removed?.has(petId) !== true
  }

  #hasOwn(): boolean {
    return this.#mended !== undefined || this.#added !== undefined
  }

  #put(pet: Pet): void {
    if (this.#isInPlace(pet.petId)) {
      this.#changed ??= createPetTable()
      this.#changed.put(pet)
    } else {
      this.#added ??= createPetTable()
      this.#added.put(pet)
    }
    this.#touch(pet.petId)
  }

  #markRemoved(petId: PetKey): void {
    this.#removed ??= new Set()
    this.#removed.add(petId)
  }

  /** What was written of the place of this pet is written anew. */
  #touch(petId: PetKey): void {
    this.#list = undefined
    this.#tail = undefined
    const position = this.#seed.pets.get(petId)?.position
    if (position === undefined) return
    this.#mended ??= new MendedList(this.#seed, this)
    this.#mended.touch(position)
  }

  #writeList(): readonly Bytes[] {
    this.#mended ??= new MendedList(this.#seed, this)
    this.#tail ??= writeBlock(Array.from(this.#added?.values() ?? [])).bytes
    return toList([...this.#mended.toBlocks(), this.#tail])
  }

  #dropLayer(seed: Seed): void {
    this.#seed = seed
    this.#changed = undefined
    this.#added = undefined
    this.#removed = undefined
    this.#mended = undefined
    this.#tail = undefined
    this.#list = undefined
  }
}
