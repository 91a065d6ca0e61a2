import type { PetKey } from '../../../inventory/pet-id.ts'
import type { Documents } from './documents.ts'
import type { LocalChanges, PetChanged, SandboxChanges } from './local-changes.ts'
import { readMeta } from './read-records.ts'
import type { MetaRecord, PetRecord, SandboxRecord } from './state-database.ts'
import { toPetRange, toResult } from './transaction.ts'

/** How far this page knows what is stored. */
export interface Seen {
  /** The number of the latest change that it has seen. */
  readonly seq: number
  /** When the state of each sandbox was last replaced as a whole. */
  readonly sandboxes: ReadonlyMap<string, number>
}

export interface Written {
  /** The numbers of the latest change, before and after. */
  readonly before: number
  readonly seq: number
  /** When the state of the sandboxes that were written to was last replaced as a whole. */
  readonly sandboxes: ReadonlyMap<string, number>
  /** Sandboxes that another page replaced meanwhile: changes of a state that is gone went with it. */
  readonly overtaken: readonly string[]
}

export interface WriteOptions {
  readonly changes: LocalChanges
  readonly seen: Seen
  readonly documents: Documents
}

/** Writes changes of this page over what other pages have written, of which it may not have seen all. */
export async function writeChanges(
  transaction: IDBTransaction,
  { changes, seen, documents }: WriteOptions,
): Promise<Written> {
  const { format, seq: before } = await readMeta(transaction)
  let seq = before
  const next = (): number => ++seq
  const sandboxes = new Map<string, number>()
  const overtaken: string[] = []
  for (const [name, change] of changes) {
    const base = await writeBase(transaction, { name, change, seen: seen.sandboxes.get(name), documents, next })
    if (base === undefined) {
      overtaken.push(name)
      continue
    }
    sandboxes.set(name, base)
    await writePets(transaction, { name, pets: change.pets, next })
  }
  if (seq > before) transaction.objectStore('meta').put({ format, seq } satisfies MetaRecord, 'meta')
  return { before, seq, sandboxes, overtaken }
}

interface BaseOptions {
  readonly name: string
  readonly change: SandboxChanges
  /** When the sandbox was replaced last, as far as this page knows. */
  readonly seen: number | undefined
  readonly documents: Documents
  readonly next: () => number
}

/** Makes sure that what the changes lie on is stored; says since when it is, or `undefined` where something else is. */
async function writeBase(
  transaction: IDBTransaction,
  { name, change, seen, documents, next }: BaseOptions,
): Promise<number | undefined> {
  const store = transaction.objectStore('sandboxes')
  const stored: SandboxRecord | undefined = await toResult(store.get(name))
  const document = change.base && documents.describe(change.base)
  if (!change.isReplaced && stored?.document !== undefined) {
    // Two pages may have been the first in a sandbox; they agree where both started from the same list.
    const isKnown = stored.seq === seen || (seen === undefined && stored.document === document?.id)
    return isKnown ? stored.seq : undefined
  }
  if (!change.isReplaced && stored?.seq !== seen) return undefined
  const seq = next()
  store.put({ name, seq, ...(document && { document: document.id }) } satisfies SandboxRecord)
  transaction.objectStore('pets').delete(toPetRange(name))
  if (document === undefined) return seq
  const documentStore = transaction.objectStore('documents')
  if ((await toResult(documentStore.getKey(document.id))) === undefined) documentStore.put(document)
  return seq
}

interface PetsOptions {
  readonly name: string
  readonly pets: ReadonlyMap<PetKey, PetChanged>
  readonly next: () => number
}

async function writePets(transaction: IDBTransaction, { name, pets, next }: PetsOptions): Promise<void> {
  const store = transaction.objectStore('pets')
  const earlier: (PetRecord | undefined)[] = await Promise.all(
    Array.from(pets.keys(), (petId) => toResult(store.get([name, petId]))),
  )
  for (const [index, [petId, { pet, isMoved }]] of [...pets].entries()) {
    const seq = next()
    const stored = earlier[index]
    const isInPlace = stored?.status !== undefined && !isMoved
    const record: PetRecord = {
      sandbox: name,
      petId,
      seq,
      place: isInPlace ? stored.place : seq,
      isMoved: isMoved || stored?.isMoved === true,
      ...pet,
    }
    store.put(record)
  }
}
