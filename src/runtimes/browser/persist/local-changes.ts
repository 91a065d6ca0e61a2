import { type PetKey, toPetKey } from '../../../inventory/pet-id.ts'
import type { InventoryChange } from '../../../sandbox/events.ts'
import type { Seed } from '../../../store/seed.ts'

/** What this page changed in one sandbox, and has not stored yet. */
export interface SandboxChanges {
  /** What the changes lie on. There is none for a sandbox that was forgotten. */
  readonly base: Seed | undefined
  /** Whether what is stored of the sandbox is replaced as a whole. */
  readonly isReplaced: boolean
  readonly pets: Map<PetKey, PetChanged>
}

export interface PetChanged {
  /** `undefined` for a pet that was taken out. */
  readonly pet: { readonly quantity: number; readonly status: string } | undefined
  /** Whether it was taken out meanwhile, and so lost its place. */
  readonly isMoved: boolean
}

/** By the sandbox's name. */
export type LocalChanges = Map<string, SandboxChanges>

/** @param base What the sandbox's state lies on now; `undefined` where the sandbox is gone. */
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
  // One that comes back comes last.
  if (earlier?.pet === undefined) pets.delete(petId)
  const { quantity, status } = change.pet
  pets.set(petId, { pet: { quantity, status }, isMoved: earlier?.isMoved === true })
}

/** Notes a sandbox without a change, so that it is stored. */
export function openChanges(changes: LocalChanges, sandbox: string, base: Seed): SandboxChanges {
  const known = changes.get(sandbox)
  if (known?.base !== undefined) return known
  // A sandbox that was forgotten begins anew.
  const opened = { base, isReplaced: known !== undefined, pets: new Map<PetKey, PetChanged>() }
  changes.set(sandbox, opened)
  return opened
}
