import { type Bytes, countBytes } from '../http/bytes.ts'
import type { PetKey } from '../inventory/pet-id.ts'
import { toList, writeBlock } from './list-bytes.ts'
import { ListCache } from './list-cache.ts'
import { createPetTable, type Pet, type PetRecord, type PetTable } from './pet-table.ts'
import type { Seed } from './seed.ts'

/** The inventory of one sandbox: a thin layer of changes over a seed. */
export interface InventoryState {
  /** What lies under the changes. */
  readonly seed: Seed
  /** The number of pets. */
  readonly size: number
  /** How many pets differ from the seed. */
  readonly changes: number
  /** What it holds beside its seed, in bytes: the changes, and what is written of the list. */
  readonly weight: number
  get(petId: PetKey): Pet | undefined
  /** In the order of the seed; pets added later come last, and a change does not move a pet. */
  values(): Iterable<Pet>
  /** The list as the service sends it. Kept, as far as it stays the same. */
  toList(): readonly Bytes[]
  /** Forgets what was written of the list. It is written anew when somebody asks. */
  dropList(): void
  /** Makes a long list ready without holding up anybody else; `undefined` where it is. */
  prepare(): Promise<void> | undefined
  /** Adds a pet or replaces the one of the same id. */
  put(pet: Pet): void
  /** Takes a pet out; says whether it was there. */
  remove(petId: PetKey): boolean
  /** Drops the changes, and goes over to another seed where one is given. */
  reset(seed?: Seed): void
  snapshot(): StateSnapshot
  /**
   * Holds on to the state as it is now. Costs nothing at once: the snapshot is taken when the returned function is
   * called, or just before the next change.
   */
  freeze(): () => StateSnapshot
  restore(snapshot: StateSnapshot): void
}

/** A state to return to. It shares its records with the inventory it was taken of. */
export interface StateSnapshot {
  readonly seed: Seed
  /** Pets of the seed that lost their places. */
  readonly removed: ReadonlySet<PetKey>
  /** Pets in their places in the seed's list, with their positions there. */
  readonly changed: readonly PetRecord[]
  /** Pets at the end of the list. */
  readonly added: readonly Pet[]
}

/** What changed in a state. */
export type StateChange =
  | { readonly type: 'pet'; readonly pet: Pet }
  | { readonly type: 'pet-removed'; readonly petId: PetKey }
  /** The state as a whole is another. */
  | { readonly type: 'state' }

/** A pet that differs from the seed, in bytes: measured. */
const CHANGE_BYTES = 160

/** @param notify Told of every change, when it is made. */
export function createInventoryState(seed: Seed, notify: (change: StateChange) => void = () => {}): InventoryState {
  return new LayeredState(seed, notify)
}

/** The parts of the layer are made when they are needed: most sandboxes change a pet or two. */
class LayeredState implements InventoryState {
  readonly #notify: (change: StateChange) => void
  #seed: Seed
  /** What was restored, until somebody looks at it: a state file may hold many sandboxes that are never used again. */
  #restored: StateSnapshot | undefined
  /** Pets of the seed that differ from it, in their places: positions are the seed's. */
  #changed: PetTable | undefined
  /** Pets at the end of the list: those that the seed has not, and those that were taken out and added anew. */
  #added: PetTable | undefined
  /** Pets of the seed that lost their places. */
  #removed: Set<PetKey> | undefined
  /** The seed's places on the wire, where some of them changed. */
  #mended: ListCache | undefined
  /** The added pets on the wire. */
  #tail: Bytes | undefined
  #list: readonly Bytes[] | undefined
  /** What the list takes beside the blocks that it shares with the seed and `#mended`. */
  #listBytes = 0
  /** Takes the snapshot for those who hold on to the present state, where none of them has read it yet. */
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
    return changes * CHANGE_BYTES + this.#listBytes + (this.#mended?.bytes ?? 0)
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
    yield* this.#added?.values() ?? []
  }

  /** What is in a place of the seed's list now. */
  at(position: number): Pet | undefined {
    this.#open()
    const pet = this.#seed.at(position)
    if (pet === undefined || this.#removed?.has(pet.petId) === true) return undefined
    return this.#changed?.get(pet.petId) ?? pet
  }

  prepare(): Promise<void> | undefined {
    this.#open()
    return (this.#mended ?? this.#seed).prepare()
  }

  toList(): readonly Bytes[] {
    this.#open()
    this.#list ??= this.#hasOwn() ? this.#writeList() : this.#seed.toList()
    return this.#list
  }

  dropList(): void {
    this.#list = undefined
    this.#tail = undefined
    this.#listBytes = 0
    if (this.#mended === undefined) return
    this.#mended = new ListCache(this.#seed, this)
    for (const { position } of this.#changed?.values() ?? []) this.#mended.invalidate(position)
    for (const petId of this.#removed ?? []) this.#mended.invalidate(this.#seed.pets.get(petId)?.position ?? 0)
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

  /** Makes the layer of what was restored. */
  #open(): void {
    if (this.#restored === undefined) return
    const { removed, changed, added } = this.#restored
    this.#restored = undefined
    for (const petId of removed) this.#markRemoved(petId)
    for (const pet of changed) this.#change(pet, pet.position)
    for (const pet of added) this.#add(pet)
  }

  /** Where the pet stands in the seed's list; `undefined` for one that has no place there, or lost it. */
  #toPlace(petId: PetKey): number | undefined {
    return this.#removed?.has(petId) === true ? undefined : this.#seed.pets.get(petId)?.position
  }

  #hasOwn(): boolean {
    return this.#mended !== undefined || this.#added !== undefined
  }

  #put(pet: Pet): void {
    const place = this.#toPlace(pet.petId)
    if (place === undefined) this.#add(pet)
    else this.#change(pet, place)
  }

  #change(pet: Pet, place: number): void {
    this.#changed ??= createPetTable()
    this.#changed.put(pet, place)
    this.#touch(place)
  }

  #add(pet: Pet): void {
    this.#added ??= createPetTable()
    this.#added.put(pet)
    this.#touch(undefined)
  }

  #markRemoved(petId: PetKey): void {
    const place = this.#toPlace(petId)
    if (place !== undefined) {
      this.#removed ??= new Set()
      this.#removed.add(petId)
    }
    this.#touch(place)
  }

  /** The list is another, and with it what was written of this place of the seed's. */
  #touch(place: number | undefined): void {
    this.#list = undefined
    this.#tail = undefined
    this.#listBytes = 0
    if (place === undefined) return
    this.#mended ??= new ListCache(this.#seed, this)
    this.#mended.invalidate(place)
  }

  #writeList(): readonly Bytes[] {
    this.#mended ??= new ListCache(this.#seed, this)
    this.#tail ??= writeBlock(Array.from(this.#added?.values() ?? [])).bytes
    const list = toList([...this.#mended.toBlocks(), this.#tail])
    // A short one is a single piece of its own.
    this.#listBytes = this.#tail.byteLength + (list.length === 1 ? countBytes(list) : 0)
    return list
  }

  #dropLayer(seed: Seed): void {
    this.#frozen?.()
    this.#seed = seed
    this.#restored = undefined
    this.#changed = undefined
    this.#added = undefined
    this.#removed = undefined
    this.#mended = undefined
    this.#tail = undefined
    this.#list = undefined
    this.#listBytes = 0
  }
}
