import type { Bytes } from '../http/bytes.ts'
import type { Pet, PetKey } from '../inventory/pet.ts'
import { PetList } from './pet-list.ts'
import { createPetTable, type PetRecord, type PetTable } from './pet-table.ts'
import type { Seed } from './seed.ts'

/** A saved state. Its records are those of the inventory that it was taken from, which never change. */
export interface StateSnapshot {
  readonly seed: Seed
  /** Seed pets that were removed, also those added again later. */
  readonly removed: ReadonlySet<PetKey>
  /** Changed pets, with their positions in the seed's list. */
  readonly changed: readonly PetRecord[]
  /** Pets after the end of the seed's list. */
  readonly added: readonly Pet[]
}

/** A change of an inventory. */
export type StateChange =
  | { readonly type: 'pet'; readonly pet: Pet }
  | { readonly type: 'pet-removed'; readonly petId: PetKey }
  /** The whole state was replaced. */
  | { readonly type: 'state' }

/** The measured memory of one pet that differs from the seed, in bytes. */
const CHANGE_BYTES = 160

/**
 * The inventory of one sandbox, stored as a layer of changes over a shared seed. Each part of the layer is created on
 * first use: most sandboxes change only one or two pets.
 */
export class InventoryState {
  readonly #notify: (change: StateChange) => void
  #seed: Seed
  /** Changed pets, with their positions in the seed's list. */
  #changed: PetTable | undefined
  /** Pets after the end of the seed's list: new ones, and seed pets that were removed and added again. */
  #added: PetTable | undefined
  /** Seed pets that were removed, also those added again later. */
  #removed: Set<PetKey> | undefined
  /** `undefined` while the list is that of the seed. */
  #list: PetList | undefined

  /** @param notify Called synchronously after every change. */
  constructor(seed: Seed, notify: (change: StateChange) => void = () => {}) {
    this.#seed = seed
    this.#notify = notify
  }

  /** The state under the changes. */
  get seed(): Seed {
    return this.#seed
  }

  /** The number of pets. */
  get size(): number {
    return this.#seed.length - (this.#removed?.size ?? 0) + (this.#added?.size ?? 0)
  }

  /** How many pets differ from the seed. */
  get changes(): number {
    const gone = Array.from(this.#removed ?? []).filter((petId) => this.#added?.has(petId) !== true)
    return gone.length + (this.#changed?.size ?? 0) + (this.#added?.size ?? 0)
  }

  /** In bytes: the changes and the serialized list, without the shared seed. */
  get weight(): number {
    const changes = (this.#changed?.size ?? 0) + (this.#added?.size ?? 0) + (this.#removed?.size ?? 0)
    return changes * CHANGE_BYTES + (this.#list?.bytes ?? 0)
  }

  get(petId: PetKey): Pet | undefined {
    const own = this.#changed?.get(petId) ?? this.#added?.get(petId)
    return own ?? (this.#removed?.has(petId) === true ? undefined : this.#seed.pets.get(petId))
  }

  /** In the order of the seed, then the added pets. Changing a pet does not move it. */
  *values(): Generator<Pet> {
    for (const pet of this.#seed.pets.values()) {
      if (this.#removed?.has(pet.petId) !== true) yield this.#changed?.get(pet.petId) ?? pet
    }
    yield* this.#addedPets()
  }

  /** The list as JSON. Cached; a change serializes only the blocks of the pets that changed. */
  toList(): readonly Bytes[] {
    return (this.#list ?? this.#seed.list).toPieces()
  }

  /** Serializes a long list without blocking the event loop. Returns `undefined` when there is nothing to prepare. */
  prepare(): Promise<void> | undefined {
    return (this.#list ?? this.#seed.list).prepare()
  }

  /** Drops the cached list to free memory. */
  dropList(): void {
    this.#list?.drop()
  }

  /** Adds a pet, or replaces the pet with the same id. */
  put(pet: Pet): void {
    this.#put(pet)
    this.#notify({ type: 'pet', pet })
  }

  /** Removes a pet. Returns false if there is no such pet. */
  remove(petId: PetKey): boolean {
    if (this.get(petId) === undefined) return false
    this.#changed?.delete(petId)
    this.#added?.delete(petId)
    this.#remove(petId)
    this.#notify({ type: 'pet-removed', petId })
    return true
  }

  /** Drops all changes, and replaces the seed if one is passed. */
  reset(seed: Seed = this.#seed): void {
    this.#clear(seed)
    this.#notify({ type: 'state' })
  }

  snapshot(): StateSnapshot {
    const changed = Array.from(this.#changed?.values() ?? [])
    return { seed: this.#seed, removed: new Set(this.#removed), changed, added: Array.from(this.#addedPets()) }
  }

  restore({ seed, removed, changed, added }: StateSnapshot): void {
    this.#clear(seed)
    for (const petId of removed) this.#remove(petId)
    for (const pet of changed) this.#put(pet)
    for (const pet of added) this.#put(pet)
    this.#notify({ type: 'state' })
  }

  #put(pet: Pet): void {
    const position = this.#removed?.has(pet.petId) === true ? undefined : this.#seed.pets.get(pet.petId)?.position
    if (position === undefined) {
      this.#added ??= createPetTable()
      this.#added.put(pet)
    } else {
      this.#changed ??= createPetTable()
      this.#changed.put(pet, position)
    }
    this.#invalidate(position)
  }

  #remove(petId: PetKey): void {
    const position = this.#seed.pets.get(petId)?.position
    if (position !== undefined) {
      this.#removed ??= new Set()
      this.#removed.add(petId)
    }
    this.#invalidate(position)
  }

  #invalidate(position: number = this.#seed.length): void {
    this.#list ??= new PetList(
      { length: this.#seed.length, at: (at) => this.#at(at), added: () => this.#addedPets() },
      this.#seed.list,
    )
    this.#list.invalidate(position)
  }

  /** The pet that is now at a position of the seed's list. */
  #at(position: number): Pet | undefined {
    const pet = this.#seed.at(position)
    if (pet === undefined || this.#removed?.has(pet.petId) === true) return undefined
    return this.#changed?.get(pet.petId) ?? pet
  }

  #addedPets(): Iterable<Pet> {
    return this.#added?.values() ?? []
  }

  #clear(seed: Seed): void {
    this.#seed = seed
    this.#changed = undefined
    this.#added = undefined
    this.#removed = undefined
    this.#list = undefined
  }
}
