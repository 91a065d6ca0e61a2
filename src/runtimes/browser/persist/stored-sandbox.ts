import { DEFAULT_SANDBOX } from '../../../auth/sandbox-name.ts'
import { quote } from '../../../http/quote.ts'
import { isPetKey, isPetStatus, type PetStatus } from '../../../inventory/pet.ts'
import type { Sandboxes } from '../../../sandbox/sandboxes.ts'
import type { InventoryState } from '../../../store/inventory-state.ts'
import type { Documents } from './documents.ts'
import { type DocumentRecord, type PetRecord, type SandboxRecord, toPetRange, toResult } from './state-database.ts'

/** The stored records of one sandbox. */
export interface StoredSandbox {
  readonly name: string
  /** `undefined` for a sandbox that is not stored. */
  readonly record: SandboxRecord | undefined
  readonly document: DocumentRecord | undefined
  /** In the order of their keys. */
  readonly pets: readonly PetRecord[]
}

export async function readSandbox(transaction: IDBTransaction, name: string): Promise<StoredSandbox> {
  const record: SandboxRecord | undefined = await toResult(transaction.objectStore('sandboxes').get(name))
  if (record?.document === undefined) return { name, record, document: undefined, pets: [] }
  const [document, pets] = await Promise.all([
    toResult<DocumentRecord | undefined>(transaction.objectStore('documents').get(record.document)),
    toResult<PetRecord[]>(transaction.objectStore('pets').getAll(toPetRange(name))),
  ])
  return { name, record, document, pets }
}

/**
 * Replaces the state of a sandbox with the stored one. A sandbox that is not stored, or was deleted, is removed.
 * @throws {Error} if a record is damaged; the state stays.
 */
export function restoreSandbox(
  stored: StoredSandbox,
  { sandboxes, documents }: { sandboxes: Sandboxes; documents: Documents },
): void {
  const { name, record, document, pets } = stored
  if (record?.document === undefined) {
    if (name === DEFAULT_SANDBOX) sandboxes.default.state.reset(sandboxes.seed)
    sandboxes.remove(name)
    return
  }
  if (document === undefined) throw new Error(`its document ${record.document} is missing`)
  const seed = documents.open(document)
  for (const pet of pets) assertPet(pet)
  const { state } = sandboxes.open(name)
  state.reset(seed)
  for (const pet of pets.toSorted((one, other) => one.place - other.place)) {
    if (pet.isMoved) state.remove(pet.petId)
    putStored(state, pet)
  }
}

/** Applies a stored pet, at its position. @throws {Error} if the record is damaged. */
export function putStored(state: InventoryState, stored: PetRecord): void {
  assertPet(stored)
  const { petId, quantity, status } = stored
  if (quantity === undefined || status === undefined) {
    state.remove(petId)
    return
  }
  const present = state.get(petId)
  if (present?.quantity !== quantity || present.status !== status) state.put({ petId, quantity, status })
}

type ValidPet = PetRecord & ({ quantity?: never; status?: never } | { quantity: number; status: PetStatus })

function assertPet(pet: PetRecord): asserts pet is ValidPet {
  const { petId, quantity, status, place } = pet
  if (typeof petId !== 'string' || !isPetKey(petId)) throw new Error(`there is a pet ${quote(petId)}`)
  const isGone = quantity === undefined && status === undefined
  if (isGone || (Number.isSafeInteger(quantity) && isPetStatus(status) && Number.isFinite(place))) return
  throw new Error(`pet ${petId} has the quantity ${quote(quantity)} and the status ${quote(status)}`)
}
