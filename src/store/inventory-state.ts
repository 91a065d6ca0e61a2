import type { Bytes } from '../http/bytes.ts'
import type { Pet, PetKey } from '../inventory/pet.ts'
import { PetList } from './pet-list.ts'
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
  /** Changed pets, with their positions in the seed's list. */
  changed?: PetTable
  /** Pets after the end of the seed's list: new ones, and seed pets that were removed and added again. */
  added?: PetTable
  /** Seed pets that were removed, also those added again later. */
  removed?: Set<PetKey>
}

function copyLayer({ seed, changed, added, removed }: Layer): Layer {
  return {
    seed,
    ...(changed && { changed: new PetTable(changed.values()) }),
    ...(added && { added: new PetTable(added.values()) }),
    ...(removed && { removed: new Set(removed) }),
  }
}

/** In bytes, without the seed: a pet that differs from it takes 160, as was measured. */
function weighLayer({ changed, added, removed }: Layer): number {
  return ((changed?.size ?? 0) + (added?.size ?? 0) + (removed?.size ?? 0)) * 160
}

/** The inventory of one sandbox, stored as a layer of changes over a shared seed. */
export class InventoryState {
  readonly #notify: (change: StateChange) => void
  #layer: Layer
  /** `undefined` while the list is that of the seed. */
  #list: PetList | undefined

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
    const { seed, removed, added } = this.#layer
    return seed.length - (removed?.size ?? 0) + (added?.size ?? 0)
  }

  /** How many pets differ from the seed. */
  get changes(): number {
    const { changed, added, removed } = this.#layer
    const gone = Array.from(removed ?? []).filter((petId) => added?.get(petId) === undefined)
    return gone.length + (changed?.size ?? 0) + (added?.size ?? 0)
  }

  /** In bytes: the changes and the serialized list, without the shared seed. */
  get weight(): number {
    return weighLayer(this.#layer) + (this.#list?.bytes ?? 0)
  }

  get(petId: PetKey): Pet | undefined {
    const { seed, changed, added, removed } = this.#layer
    const own = changed?.get(petId) ?? added?.get(petId)
    return own ?? (removed?.has(petId) === true ? undefined : seed.pets.get(petId))
  }

  /** In the order of the seed, then the added pets. Changing a pet does not move it. */
  *values(): Generator<Pet> {
    const { seed, changed, removed } = this.#layer
    for (const pet of seed.pets.values()) {
      if (removed?.has(pet.petId) !== true) yield changed?.get(pet.petId) ?? pet
    }
    yield* this.#added
  }

  /** The list as JSON. Cached; a change serializes only the blocks of the pets that changed. */
  toList(): readonly Bytes[] {
    return (this.#list ?? this.seed.list).toPieces()
  }

  /** Drops the cached list to free memory. */
  dropList(): void {
    this.#list?.drop()
  }

  /** Adds a pet, or replaces the pet with the same id. If that is equal, nothing has changed. */
  put(pet: Pet): Pet {
    const before = this.get(pet.petId)
    if (before !== undefined && isEqual(before, pet)) return before
    const after = this.#put(pet)
    this.#notify({ type: 'pet', pet: after })
    return after
  }

  /** Adds or replaces pets, as one change. */
  putAll(pets: Iterable<Pet>): void {
    for (const pet of pets) this.#put(pet)
    this.#notify({ type: 'state' })
  }

  /** Removes a pet. Returns false if there is no such pet. */
  remove(petId: PetKey): boolean {
    if (this.get(petId) === undefined) return false
    this.#remove(petId)
    this.#notify({ type: 'pet-removed', petId })
    return true
  }

  /** Drops all changes, and replaces the seed if one is passed. */
  reset(seed: Seed = this.seed): void {
    this.#replace({ seed })
  }

  /** Replaces the pets, but not the seed: its pets keep their places, and the others come after them. */
  replace(pets: PetTable): void {
    const state = new InventoryState(this.seed)
    for (const { petId } of this.seed.pets.values()) if (pets.get(petId) === undefined) state.remove(petId)
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
    const { changed, removed } = this.#layer
    return { removed: [...(removed ?? [])], pets: [...(changed?.values() ?? []), ...this.#added] }
  }

  #replace(layer: Layer): void {
    this.#layer = layer
    this.#list = undefined
    for (const { position } of layer.changed?.values() ?? []) this.#invalidate(position)
    for (const petId of layer.removed ?? []) this.#invalidate(layer.seed.pets.get(petId)?.position)
    if (layer.added !== undefined) this.#invalidate()
    this.#notify({ type: 'state' })
  }

  #put(pet: Pet): Pet {
    const layer = this.#layer
    const { seed, removed } = layer
    const own = removed?.has(pet.petId) === true ? undefined : seed.pets.get(pet.petId)
    this.#invalidate(own?.position)
    if (own === undefined) {
      layer.added ??= new PetTable()
      return layer.added.put(pet)
    }
    layer.changed ??= new PetTable()
    if (!isEqual(own, pet)) return layer.changed.put(pet, own.position)
    layer.changed.delete(pet.petId)
    return own
  }

  #remove(petId: PetKey): void {
    const layer = this.#layer
    layer.changed?.delete(petId)
    layer.added?.delete(petId)
    const position = layer.seed.pets.get(petId)?.position
    layer.removed ??= new Set()
    if (position !== undefined) layer.removed.add(petId)
    this.#invalidate(position)
  }

  #invalidate(position: number = this.seed.length): void {
    const { length, list } = this.seed
    this.#list ??= new PetList({ length, at: (at) => this.#at(at), added: () => this.#added }, list)
    this.#list.invalidate(position)
  }

  /** The pet that is now at a position of the seed's list. */
  #at(position: number): Pet | undefined {
    const { seed, changed, removed } = this.#layer
    const pet = seed.at(position)
    if (pet === undefined || removed?.has(pet.petId) === true) return undefined
    return changed?.get(pet.petId) ?? pet
  }

  get #added(): Iterable<Pet> {
    return this.#layer.added?.values() ?? []
  }
}

function isEqual(one: Pet, other: Pet): boolean {
  return one.quantity === other.quantity && one.status === other.status
}
