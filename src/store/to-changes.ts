import type { PetKey } from '../inventory/pet-id.ts'
import type { StateSnapshot } from './inventory-state.ts'
import { type Pet, type PetRecord, type PetTable, toPetRecord } from './pet-table.ts'
import type { Seed } from './seed.ts'

/**
 * Finds the changes that turn a seed into a given list of pets, in the same order.
 * @returns `undefined` when there are at least half as many changes as pets: the list shares too little with the seed.
 */
export function toChanges(pets: PetTable, seed: Seed): StateSnapshot | undefined {
  const removed = new Set<PetKey>()
  const changed: PetRecord[] = []
  const rest = pets.values()[Symbol.iterator]()
  let next = rest.next()
  for (const own of seed.pets.values()) {
    if (next.done === true || next.value.petId !== own.petId) {
      removed.add(own.petId)
      continue
    }
    const { quantity, status } = next.value
    if (quantity !== own.quantity || status !== own.status) {
      changed.push(toPetRecord({ petId: own.petId, quantity, status }, own.position))
    }
    next = rest.next()
  }
  const added: Pet[] = []
  for (; next.done !== true; next = rest.next()) added.push(next.value)
  return 2 * (removed.size + changed.length + added.length) < pets.size ? { seed, removed, changed, added } : undefined
}
