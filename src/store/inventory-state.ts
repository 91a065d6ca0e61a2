import type { PetKey } from '../inventory/pet-id.ts'
import { toListJson } from './inventory-item.ts'
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
  /** The list as the service sends it. Kept until the next change: not to be written to. */
  toJson(): Uint8Array<ArrayBuffer>
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

interface Layer {
  /** Pets that were changed or added. */
  readonly changed: PetTable
  /** Pets of the seed that lost their place: taken out, and perhaps added anew at the end. */
  readonly removed: Set<PetKey>
}

const encoder = new TextEncoder()

/** What changed in a state. */
export type StateChange =
  | { readonly type: 'pet'; readonly pet: Pet }
  | { readonly type: 'pet-removed'; readonly petId: PetKey }
  /** The state as a whole is another. */
  | { readonly type: 'state' }

/** @param notify Told of every change, when it is made. */
export function createInventoryState(start: Seed, notify: (change: StateChange) => void = () => {}): InventoryState {
  let seed = start
  let layer: Layer | undefined
  let json: Uint8Array<ArrayBuffer> | undefined

  const isInPlace = (petId: PetKey): boolean => seed.pets.has(petId) && layer?.removed.has(petId) !== true

  function change(): Layer {
    json = undefined
    layer ??= { changed: createPetTable(), removed: new Set() }
    return layer
  }

  function* values(): Generator<Pet> {
    for (const pet of seed.pets.values()) {
      if (layer === undefined) yield pet
      else if (!layer.removed.has(pet.petId)) yield layer.changed.get(pet.petId) ?? pet
    }
    for (const pet of layer?.changed.values() ?? []) {
      if (!isInPlace(pet.petId)) yield pet
    }
  }

  function get(petId: PetKey): Pet | undefined {
    const changed = layer?.changed.get(petId)
    if (changed !== undefined) return changed
    return isInPlace(petId) ? seed.pets.get(petId) : undefined
  }

  function countAdded(): number {
    let added = 0
    for (const pet of layer?.changed.values() ?? []) if (!isInPlace(pet.petId)) added += 1
    return added
  }

  return {
    get seed() {
      return seed
    },
    get size() {
      return seed.pets.size - (layer?.removed.size ?? 0) + countAdded()
    },
    get changes() {
      return new Set([...(layer?.removed ?? []), ...Array.from(layer?.changed.values() ?? [], (pet) => pet.petId)]).size
    },
    get,
    values,
    toJson() {
      json ??= encoder.encode(toListJson(values()))
      return json
    },
    put(pet) {
      change().changed.put(pet)
      notify({ type: 'pet', pet })
    },
    remove(petId) {
      if (get(petId) === undefined) return false
      const { changed, removed } = change()
      changed.delete(petId)
      if (seed.pets.has(petId)) removed.add(petId)
      notify({ type: 'pet-removed', petId })
      return true
    },
    reset(next = seed) {
      seed = next
      layer = undefined
      json = undefined
      notify({ type: 'state' })
    },
    snapshot: () => ({ seed, changed: [...(layer?.changed.values() ?? [])], removed: new Set(layer?.removed) }),
    restore(snapshot) {
      seed = snapshot.seed
      layer = undefined
      const { changed, removed } = change()
      for (const pet of snapshot.changed) changed.put(pet)
      for (const petId of snapshot.removed) removed.add(petId)
      notify({ type: 'state' })
    },
  }
}
