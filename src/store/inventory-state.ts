import type { Bytes } from '../contract/bytes.ts'
import type { PetKey } from '../inventory/pet-id.ts'
import { BLOCK_SIZE, toBlock, toList } from './list-bytes.ts'
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

interface Layer {
  /** Pets that were changed or added. */
  readonly changed: PetTable
  /** Pets of the seed that lost their place: taken out, and perhaps added anew at the end. */
  readonly removed: Set<PetKey>
  /** The blocks of the seed's list in which something changed, on the wire; `undefined` until they are written. */
  readonly blocks: Map<number, Bytes | undefined>
}

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
  let list: readonly Bytes[] | undefined

  const isInPlace = (petId: PetKey): boolean => seed.pets.has(petId) && layer?.removed.has(petId) !== true

  function change(petId: PetKey): Layer {
    list = undefined
    layer ??= { changed: createPetTable(), removed: new Set(), blocks: new Map() }
    const position = seed.pets.get(petId)?.position
    if (position !== undefined) layer.blocks.set(Math.floor(position / BLOCK_SIZE), undefined)
    return layer
  }

  function writeList({ changed, removed, blocks }: Layer): readonly Bytes[] {
    for (const [block, written] of blocks) {
      if (written !== undefined) continue
      const pets = seed.toBlockPets(block).filter(({ petId }) => !removed.has(petId))
      blocks.set(block, toBlock(pets.map((pet) => changed.get(pet.petId) ?? pet)))
    }
    const added = toBlock(Array.from(changed.values()).filter(({ petId }) => !isInPlace(petId)))
    return toList([
      ...Array.from({ length: seed.blocks }, (_, block) => blocks.get(block) ?? seed.toBlock(block)),
      added,
    ])
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
    prepare: () => seed.prepare(),
    toList() {
      list ??= layer === undefined ? seed.toList() : writeList(layer)
      return list
    },
    put(pet) {
      change(pet.petId).changed.put(pet)
      notify({ type: 'pet', pet })
    },
    remove(petId) {
      if (get(petId) === undefined) return false
      const { changed, removed } = change(petId)
      changed.delete(petId)
      if (seed.pets.has(petId)) removed.add(petId)
      notify({ type: 'pet-removed', petId })
      return true
    },
    reset(next = seed) {
      seed = next
      layer = undefined
      list = undefined
      notify({ type: 'state' })
    },
    snapshot: () => ({ seed, changed: [...(layer?.changed.values() ?? [])], removed: new Set(layer?.removed) }),
    restore(snapshot) {
      seed = snapshot.seed
      layer = undefined
      list = undefined
      for (const pet of snapshot.changed) change(pet.petId).changed.put(pet)
      for (const petId of snapshot.removed) change(petId).removed.add(petId)
      notify({ type: 'state' })
    },
  }
}
