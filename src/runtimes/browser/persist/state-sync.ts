import type { InventoryChange } from '../../../sandbox/events.ts'
import type { Sandboxes } from '../../../sandbox/sandboxes.ts'
import { createPetTable } from '../../../store/pet-table.ts'
import { createSeed, type Seed } from '../../../store/seed.ts'
import { createDocuments } from './documents.ts'
import { loadState } from './load-state.ts'
import { type LocalChanges, noteChange, openChanges, type SandboxChanges } from './local-changes.ts'
import {
  type MetaRecord,
  type PetRecord,
  read,
  readMeta,
  type SandboxRecord,
  toPetRange,
  toResult,
  write,
} from './state-database.ts'
import { putStored, readSandbox, restoreSandbox, type StoredSandbox } from './stored-sandbox.ts'

/** Keeps the sandboxes of this page and what is stored alike. Of its promises one is waited for at a time. */
export interface StateSync {
  /** Whether there are changes to store. */
  readonly hasChanges: boolean
  /** Notes a change of this page; one that was taken up from another is none. */
  note(change: InventoryChange): void
  /** Takes up what is stored, and notes what is not; says what could not be used. */
  load(): Promise<readonly string[]>
  /** Takes up what other pages have stored, and stores the changes; says whether there were any. */
  sync(): Promise<boolean>
}

/**
 * IndexedDB's transactions come one after the other, whatever page they are of. So there is one history of changes, each
 * with its number. In one transaction a page reads what came after the last number that it has seen, writes its own
 * changes over it, and takes up the rest. Of a pet that two pages change at once the later change stands.
 */
export function createStateSync(database: IDBDatabase, sandboxes: Sandboxes): StateSync {
  const documents = createDocuments()
  /** The number of the latest change that this page has seen. */
  let seen = 0
  /** When the state of each sandbox was last replaced as a whole. There is none for a sandbox that is not stored. */
  const replacedAt = new Map<string, number>()
  /** Sandboxes to take up as a whole. */
  const stale = new Set<string>()
  let changes: LocalChanges = new Map()
  let isApplying = false

  function apply(work: () => void): void {
    isApplying = true
    try {
      work()
    } finally {
      isApplying = false
    }
  }

  function restore(stored: StoredSandbox): void {
    apply(() => restoreSandbox(stored, { sandboxes, documents }))
    noteBase(stored.name, stored.record)
  }

  function noteBase(name: string, record: SandboxRecord | undefined): void {
    if (record?.document === undefined) replacedAt.delete(name)
    else replacedAt.set(name, record.seq)
  }

  /** What the state of a sandbox lies on. A snapshot that was restored gets a list of its own to lie on. */
  function toBase(sandbox: string): Seed {
    const { state } = sandboxes.open(sandbox)
    if (state.changes === 0) return state.seed
    const pets = createPetTable()
    for (const pet of state.values()) pets.put(pet)
    apply(() => state.reset(createSeed(state.seed.name, pets)))
    return state.seed
  }

  /** Whether the list of this page may have a pet in another place. */
  function isMisplaced({ sandbox, petId, place, isMoved, status }: PetRecord): boolean {
    const { state } = sandboxes.open(sandbox)
    if (status === undefined) return false
    return state.get(petId) === undefined || (place > seen && (isMoved || !state.seed.pets.has(petId)))
  }

  /** Changes of a state that another page replaced go with it. */
  function noteReplaced(record: SandboxRecord, mine: LocalChanges): void {
    const { name, seq, document } = record
    const own = mine.get(name)
    const known = replacedAt.get(name)
    if (known === seq || own?.isReplaced === true) return
    // Two pages may have been the first in a sandbox; they agree where both started from the same list.
    if (own?.base !== undefined && known === undefined && documents.describe(own.base).id === document) {
      noteBase(name, record)
      return
    }
    stale.add(name)
    mine.delete(name)
  }

  /** Reads what other pages have stored, and notes what has to be taken up as a whole. */
  async function readOthers(transaction: IDBTransaction, mine: LocalChanges): Promise<readonly PetRecord[]> {
    const range = IDBKeyRange.lowerBound(seen, true)
    const [replaced, pets] = await Promise.all([
      toResult<SandboxRecord[]>(transaction.objectStore('sandboxes').index('seq').getAll(range)),
      toResult<PetRecord[]>(transaction.objectStore('pets').index('seq').getAll(range)),
    ])
    for (const record of replaced) noteReplaced(record, mine)
    for (const pet of pets) if (!stale.has(pet.sandbox) && isMisplaced(pet)) stale.add(pet.sandbox)
    return pets
  }

  function takePets(pets: readonly PetRecord[], mine: LocalChanges): void {
    for (const pet of pets) {
      const own = [mine.get(pet.sandbox), changes.get(pet.sandbox)]
      if (stale.has(pet.sandbox) || own.some((each) => each?.isReplaced || each?.pets.has(pet.petId))) continue
      putStored(sandboxes.open(pet.sandbox).state, pet)
    }
  }

  async function takeStale(transaction: IDBTransaction): Promise<void> {
    const whole = await Promise.all(Array.from(stale, (name) => readSandbox(transaction, name)))
    for (const stored of whole) {
      // After the changes that were made meanwhile, which are stored next.
      if (changes.has(stored.name)) continue
      restore(stored)
      stale.delete(stored.name)
    }
  }

  async function syncIn(transaction: IDBTransaction, mine: LocalChanges): Promise<boolean> {
    const { format, seq: before } = await readMeta(transaction)
    const pets = before === seen ? [] : await readOthers(transaction, mine)
    let seq = before
    for (const [name, change] of mine) seq = await writeSandbox(transaction, { name, change, seq })
    if (seq > before) transaction.objectStore('meta').put({ format, seq } satisfies MetaRecord, 'meta')
    apply(() => takePets(pets, mine))
    await takeStale(transaction)
    seen = seq
    return seq > before
  }

  /** Writes the changes of a sandbox, numbered from `seq` on; gives the last number. */
  async function writeSandbox(
    transaction: IDBTransaction,
    { name, change, seq }: { readonly name: string; readonly change: SandboxChanges; readonly seq: number },
  ): Promise<number> {
    let last = seq
    if (change.isReplaced || replacedAt.get(name) === undefined) {
      last += 1
      noteBase(name, await replaceSandbox(transaction, { name, base: change.base, seq: last }))
    }
    const store = transaction.objectStore('pets')
    const earlier: (PetRecord | undefined)[] = await Promise.all(
      Array.from(change.pets.keys(), (petId) => toResult(store.get([name, petId]))),
    )
    for (const [index, [petId, { pet, isMoved: isMovedNow }]] of [...change.pets].entries()) {
      last += 1
      const stored = earlier[index]
      // Another page took it out meanwhile, and so out of the place that it has here.
      const isTakenOut = stored !== undefined && stored.status === undefined && !isMovedNow
      if (isTakenOut || (stored !== undefined && stored.seq > seen)) stale.add(name)
      const place = stored?.status !== undefined && !isMovedNow ? stored.place : last
      const isMoved = isMovedNow || stored?.isMoved === true
      store.put({ sandbox: name, petId, seq: last, place, isMoved, ...pet } satisfies PetRecord)
    }
    return last
  }

  async function replaceSandbox(
    transaction: IDBTransaction,
    { name, base, seq }: { readonly name: string; readonly base: Seed | undefined; readonly seq: number },
  ): Promise<SandboxRecord> {
    const document = base && documents.describe(base)
    const record: SandboxRecord = { name, seq, ...(document && { document: document.id }) }
    transaction.objectStore('sandboxes').put(record)
    transaction.objectStore('pets').delete(toPetRange(name))
    const store = transaction.objectStore('documents')
    if (document !== undefined && (await toResult(store.getKey(document.id))) === undefined) store.put(document)
    return record
  }

  return {
    get hasChanges() {
      return changes.size > 0
    },
    note(change) {
      if (isApplying) return
      if (change.type === 'sandbox-removed') return noteChange(changes, change, undefined)
      const base = change.type === 'state' ? toBase(change.sandbox) : sandboxes.open(change.sandbox).state.seed
      noteChange(changes, change, base)
    },
    async load() {
      // Known from the start, so that what starts from it is told as unchanged.
      documents.describe(sandboxes.seed)
      const restored = new Set<string>()
      const loaded = await write(database, (transaction) =>
        loadState(transaction, (stored) => {
          // What the page has changed in the meantime is gone with the state that it was made in.
          changes.delete(stored.name)
          restore(stored)
          restored.add(stored.name)
        }),
      )
      seen = loaded.seq
      for (const { controls, state } of sandboxes.values()) {
        if (restored.has(controls.name)) continue
        const isUntouched = state.changes === 0 && state.seed === sandboxes.seed
        if (controls === sandboxes.default.controls || !isUntouched)
          openChanges(changes, controls.name, toBase(controls.name))
      }
      return loaded.problems
    },
    sync() {
      const mine = changes
      changes = new Map()
      const carry = mine.size > 0 ? write : read
      return carry(database, (transaction) => syncIn(transaction, mine))
    },
  }
}
