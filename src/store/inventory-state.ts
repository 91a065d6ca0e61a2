import type { Bytes } from '../http/bytes.ts'
import type { PetKey } from '../inventory/pet-id.ts'
import { LayeredList } from './layered-list.ts'
import { createPetTable, type Pet, type PetRecord, type PetTable } from './pet-table.ts'
import type { Seed } from './seed.ts'

/** The inventory of one sandbox, stored as a layer of changes over a shared seed. */
export interface InventoryState {
  /** The state under the changes. */
  readonly seed: Seed
  /** The number of pets. */
  readonly size: number
  /** How many pets differ from the seed. */
  readonly changes: number
  /** In bytes: the changes and the serialized list, without the shared seed. */
  readonly weight: number
  get(petId: PetKey): Pet | undefined
  /** In the order of the seed, then the added pets. Changing a pet does not move it. */
  values(): Iterable<Pet>
  /** The list as JSON. Cached; a change serializes only the pets that changed. */
  toList(): readonly Bytes[]
  /** Drops the cached list to free memory. The next `toList()` serializes it again. */
  dropList(): void
  /** Serializes a long list without blocking the event loop. Returns `undefined` when there is nothing to prepare. */
  prepare(): Promise<void> | undefined
  /** Adds a pet, or replaces the pet with the same id. */
  put(pet: Pet): void
  /** Removes a pet. Returns false if there is no such pet. */
  remove(petId: PetKey): boolean
  /** Drops all changes, and replaces the seed if one is passed. */
  reset(seed?: Seed): void
  snapshot(): StateSnapshot
  /**
   * Returns a function that returns a snapshot of the present state. The snapshot is taken lazily: when the function is
   * first called, or just before the next change.
   */
  freeze(): () => StateSnapshot
  restore(snapshot: StateSnapshot): void
}

/** A saved state. It shares its records with the inventory that it was taken from. */
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

/** @param notify Called synchronously after every change. */
export function createInventoryState(seed: Seed, notify: (change: StateChange) => void = () => {}): InventoryState {
  return new LayeredState(seed, notify)
}

/** Each part of the layer is created on first use: most sandboxes change only one or two pets. */
class LayeredState implements InventoryState {
  readonly #notify: (change: StateChange) => void
  #seed: Seed
  /** A restored snapshot, unpacked on first use: a state file may have many sandboxes that are never used again. */
  #restored: StateSnapshot | undefined
  /** Changed seed pets, with their positions in the seed. */
  #changed: PetTable | undefined
  /** Pets after the end of the seed's list: new ones, and seed pets that were removed and added again. */
  #added: PetTable | undefined
  /** Seed pets that were removed, also those added again later. */
  #removed: Set<PetKey> | undefined
  /** `undefined` while the list is that of the seed. */
  #list: LayeredList | undefined
  /** Takes the snapshot that `freeze()` promised. Unset once it is taken. */
  #frozen: (() => StateSnapshot) | undefined

  constructor(seed: Seed, notify: (change: StateChange) => void) {
    this.#seed = seed
    this.#notify = notify
  }

  get seed(): Seed {
    return this.#seed
  }

  get size(): number {
    if (this.#restored !== undefined) {
      return this.#seed.pets.size - this.#restored.removed.size + this.#restored.added.length
    }
    return this.#seed.pets.size - (this.#removed?.size ?? 0) + (this.#added?.size ?? 0)
  }

  get changes(): number {
    const removed = this.#restored?.removed ?? this.#removed ?? new Set()
    const changed = this.#restored?.changed.length ?? this.#changed?.size ?? 0
    const added = this.#restored?.added ?? Array.from(this.#added?.values() ?? [])
    return changed + removed.size + added.filter(({ petId }) => !removed.has(petId)).length
  }

  get weight(): number {
    const changes = (this.#changed?.size ?? 0) + (this.#added?.size ?? 0) + (this.#removed?.size ?? 0)
    return changes * CHANGE_BYTES + (this.#list?.bytes ?? 0)
  }

  get(petId: PetKey): Pet | undefined {
    this.#open()
    const own = this.#changed?.get(petId) ?? this.#added?.get(petId)
    return own ?? (this.#removed?.has(petId) === true ? undefined : this.#seed.pets.get(petId))
  }

  *values(): Generator<Pet> {
    this.#open()
    for (const pet of this.#seed.pets.values()) {
      if (this.#removed?.has(pet.petId) !== true) yield this.#changed?.get(pet.petId) ?? pet
    }
    yield* this.added()
  }

  /** The pets after the end of the seed's list. */
  added(): Iterable<Pet> {
    return this.#added?.values() ?? []
  }

  /** The pet that is now at a position of the seed's list. */
  at(position: number): Pet | undefined {
    const pet = this.#seed.at(position)
    if (pet === undefined || this.#removed?.has(pet.petId) === true) return undefined
    return this.#changed?.get(pet.petId) ?? pet
  }

  prepare(): Promise<void> | undefined {
    this.#open()
    return (this.#list ?? this.#seed).prepare()
  }

  toList(): readonly Bytes[] {
    this.#open()
    return this.#list?.toPieces() ?? this.#seed.toList()
  }

  dropList(): void {
    if (this.#list === undefined) return
    this.#list = new LayeredList(this.#seed, this)
    for (const { position } of this.#changed?.values() ?? []) this.#list.invalidate(position)
    for (const petId of this.#removed ?? []) this.#list.invalidate(this.#seed.pets.get(petId)?.position)
  }

  put(pet: Pet): void {
    this.#open()
    this.#frozen?.()
    this.#put(pet)
    this.#notify({ type: 'pet', pet })
  }

  remove(petId: PetKey): boolean {
    if (this.get(petId) === undefined) return false
    this.#frozen?.()
    this.#added?.delete(petId)
    this.#changed?.delete(petId)
    this.#markRemoved(petId)
    this.#notify({ type: 'pet-removed', petId })
    return true
  }

  reset(seed: Seed = this.#seed): void {
    this.#dropLayer(seed)
    this.#notify({ type: 'state' })
  }

  snapshot(): StateSnapshot {
    return (
      this.#restored ?? {
        seed: this.#seed,
        removed: new Set(this.#removed),
        changed: Array.from(this.#changed?.values() ?? []),
        added: Array.from(this.#added?.values() ?? []),
      }
    )
  }

  freeze(): () => StateSnapshot {
    let taken: StateSnapshot | undefined
    this.#frozen ??= () => {
      if (taken === undefined) {
        taken = this.snapshot()
        this.#frozen = undefined
      }
      return taken
    }
    return this.#frozen
  }

  restore(snapshot: StateSnapshot): void {
    this.#dropLayer(snapshot.seed)
    this.#restored = snapshot
    this.#notify({ type: 'state' })
  }

  /** Unpacks a restored snapshot into the layer. */
  #open(): void {
    if (this.#restored === undefined) return
    const { removed, changed, added } = this.#restored
    this.#restored = undefined
    for (const petId of removed) this.#markRemoved(petId)
    for (const pet of changed) this.#change(pet, pet.position)
    for (const pet of added) this.#add(pet)
  }

  /** The pet's position in the seed's list; `undefined` if it has none, or was removed from it. */
  #toPosition(petId: PetKey): number | undefined {
    return this.#removed?.has(petId) === true ? undefined : this.#seed.pets.get(petId)?.position
  }

  #put(pet: Pet): void {
    const position = this.#toPosition(pet.petId)
    if (position === undefined) this.#add(pet)
    else this.#change(pet, position)
  }

  #change(pet: Pet, position: number): void {
    this.#changed ??= createPetTable()
    this.#changed.put(pet, position)
    this.#invalidate(position)
  }

  #add(pet: Pet): void {
    this.#added ??= createPetTable()
    this.#added.put(pet)
    this.#invalidate(undefined)
  }

  #markRemoved(petId: PetKey): void {
    const position = this.#toPosition(petId)
    if (position !== undefined) {
      this.#removed ??= new Set()
      this.#removed.add(petId)
    }
    this.#invalidate(position)
  }

  /** Marks a position of the seed as changed; `undefined` for an added pet. */
  #invalidate(position: number | undefined): void {
    this.#list ??= new LayeredList(this.#seed, this)
    this.#list.invalidate(position)
  }

  #dropLayer(seed: Seed): void {
    this.#frozen?.()
    this.#seed = seed
    this.#restored = undefined
    this.#changed = undefined
    this.#added = undefined
    this.#removed = undefined
    this.#list = undefined
  }
}
