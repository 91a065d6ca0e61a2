import { type PetKey, toPetKey } from '../../../inventory/pet.ts'
import type { InventoryChange } from '../../../sandbox/events.ts'
import type { Seed } from '../../../store/seed.ts'

/** The changes of this page to one sandbox that are not stored yet. */
export interface SandboxChanges {
  /** The seed that the changes apply to; none for a deleted sandbox. */
  readonly base: Seed | undefined
  /** Whether the stored state of the sandbox is replaced as a whole. */
  readonly isReplaced: boolean
  readonly pets: Map<PetKey, PetChanged>
}

interface PetChanged {
  /** `undefined` for a removed pet. */
  readonly pet: { readonly quantity: number; readonly status: string } | undefined
  /** Whether it was removed in between, and so lost its position. */
  readonly isMoved: boolean
}

/** By sandbox name. */
export type LocalChanges = Map<string, SandboxChanges>

/** @param base The seed of the sandbox's state; `undefined` if the sandbox is deleted. */
export function noteChange(changes: LocalChanges, change: InventoryChange, base: Seed | undefined): void {
  const { sandbox } = change
  if (change.type === 'state' || change.type === 'sandbox-removed') {
    changes.set(sandbox, { base, isReplaced: true, pets: new Map() })
    return
  }
  if (base === undefined) return
  const { pets } = openChanges(changes, sandbox, base)
  const petId = toPetKey(change.type === 'pet' ? change.pet.petId : change.petId)
  const earlier = pets.get(petId)
  if (change.type === 'pet-removed') {
    pets.set(petId, { pet: undefined, isMoved: true })
    return
  }
  // A pet that is added again is listed last.
  if (earlier?.pet === undefined) pets.delete(petId)
  const { quantity, status } = change.pet
  pets.set(petId, { pet: { quantity, status }, isMoved: earlier?.isMoved === true })
}

/** Queues an unchanged sandbox, so that it is stored. */
export function openChanges(changes: LocalChanges, sandbox: string, base: Seed): SandboxChanges {
  const known = changes.get(sandbox)
  if (known?.base !== undefined) return known
  // A deleted sandbox starts again.
  const opened = { base, isReplaced: known !== undefined, pets: new Map<PetKey, PetChanged>() }
  changes.set(sandbox, opened)
  return opened
}
