import type { Bytes } from '../http/bytes.ts'
import { type Pet, type PetKey, writePetList } from '../inventory/pet.ts'
import { PetTable } from './pet-table.ts'
import type { Seed } from './seed.ts'

/** A change of an inventory. */
export type StateChange =
  | { readonly type: 'pet'; readonly pet: Pet }
  | { readonly type: 'pet-removed'; readonly petId: PetKey }
  /** The whole state was replaced, or many pets were changed at once. */
  | { readonly type: 'state' }

/** The changes over a seed. Each part is created on first use: most sandboxes change only one or two pets. */
export interface Layer {
  readonly seed: Seed
  /** The pets that differ from the seed, and those that it does not have. */
  own?: PetTable
  /** The pets of the seed that were removed. */
  removed?: Set<PetKey>
}

function copyLayer({ seed, own, removed }: Layer): Layer {
  return { seed, ...(own && { own: new PetTable(own.values()) }), ...(removed && { removed: new Set(removed) }) }
}

/** The inventory of one sandbox, stored as a layer of changes over a shared seed. */
export class InventoryState {
  readonly #notify: (change: StateChange) => void
  #layer: Layer
  /** The list as JSON. A change drops it, and so may any garbage collection. */
  #list: WeakRef<Bytes> | undefined

  /** @param notify Called synchronously after every change. */
  constructor(seed: Seed, notify: (change: StateChange) => void = () => {}) {
    this.#layer = { seed }
    this.#notify = notify
  }

  /** The state under the changes. */
  get seed(): Seed {
    return this.#layer.seed
  }

  /** The number of pets. */
  get size(): number {
    const { seed, removed } = this.#layer
    return seed.pets.size - (removed?.size ?? 0) + this.#addedPets().length
  }

  /** How many pets differ from the seed. */
  get changes(): number {
    const { own, removed } = this.#layer
    return (own?.size ?? 0) + (removed?.size ?? 0)
  }

  get(petId: PetKey): Pet | undefined {
    const { seed, own, removed } = this.#layer
    return own?.get(petId) ?? (removed?.has(petId) ? undefined : seed.pets.get(petId))
  }

  /** In the order of the seed, then the added pets. Changing a pet does not move it. */
  *values(): Generator<Pet> {
    const { seed, own, removed } = this.#layer
    for (const pet of seed.pets.values()) if (!removed?.has(pet.petId)) yield own?.get(pet.petId) ?? pet
    yield* this.#addedPets()
  }

  /** The list as JSON. */
  toList(): Bytes {
    if (this.changes === 0) return this.seed.toList()
    const kept = this.#list?.deref()
    if (kept !== undefined) return kept
    const list = writePetList(this.values())
    this.#list = new WeakRef(list)
    return list
  }

  /** Adds a pet, or replaces the pet with the same id. If that is equal, nothing has changed. */
  put(pet: Pet): Pet {
    const before = this.get(pet.petId)
    if (before !== undefined && isEqual(before, pet)) return before
    this.#put(pet)
    this.#notify({ type: 'pet', pet })
    return pet
  }

  /** Adds or replaces pets, as one change. */
  putAll(pets: Iterable<Pet>): void {
    for (const pet of pets) this.#put(pet)
    this.#notify({ type: 'state' })
  }

  /** Removes a pet. Returns false if there is no such pet. */
  remove(petId: PetKey): boolean {
    if (this.get(petId) === undefined) return false
    const layer = this.#layer
    layer.own?.delete(petId)
    if (layer.seed.pets.get(petId) !== undefined) {
      layer.removed ??= new Set()
      layer.removed.add(petId)
    }
    this.#list = undefined
    this.#notify({ type: 'pet-removed', petId })
    return true
  }

  /** Drops all changes, and replaces the seed if one is passed. */
  reset(seed: Seed = this.seed): void {
    this.#replace({ seed })
  }

  /** Replaces the pets, but not the seed: its pets keep their places, and the others come after them. */
  replace(pets: PetTable): void {
    const { seed } = this
    const state = new InventoryState(seed)
    for (const { petId } of seed.pets.values()) if (pets.get(petId) === undefined) state.remove(petId)
    for (const pet of pets.values()) state.put(pet)
    this.#replace(state.#layer)
  }

  /** A copy, which later changes do not affect. */
  snapshot(): Layer {
    return copyLayer(this.#layer)
  }

  restore(snapshot: Layer): void {
    this.#replace(copyLayer(snapshot))
  }

  /** The pets of the seed that were removed, and the pets that changed or are new. */
  listChanges(): { readonly removed: readonly PetKey[]; readonly pets: readonly Pet[] } {
    const { own, removed } = this.#layer
    return { removed: [...(removed ?? [])], pets: [...(own?.values() ?? [])] }
  }

  #replace(layer: Layer): void {
    this.#layer = layer
    this.#list = undefined
    this.#notify({ type: 'state' })
  }

  #put(pet: Pet): void {
    const layer = this.#layer
    const seeded = layer.seed.pets.get(pet.petId)
    layer.removed?.delete(pet.petId)
    layer.own ??= new PetTable()
    if (seeded !== undefined && isEqual(seeded, pet)) layer.own.delete(pet.petId)
    else layer.own.put(pet)
    this.#list = undefined
  }

  #addedPets(): readonly Pet[] {
    const { seed, own } = this.#layer
    return Array.from(own?.values() ?? []).filter(({ petId }) => seed.pets.get(petId) === undefined)
  }
}

function isEqual(one: Pet, other: Pet): boolean {
  return one.quantity === other.quantity && one.status === other.status
}
