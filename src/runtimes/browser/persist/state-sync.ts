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

/** Keeps the sandboxes of this page in sync with the stored state. Await one of its promises at a time. */
export interface StateSync {
  /** Whether there are changes to store. */
  readonly hasChanges: boolean
  /** Queues a change of this page. Changes applied from other pages are ignored. */
  note(change: InventoryChange): void
  /** Restores the stored state and queues what is not stored yet; returns the problems. */
  load(): Promise<readonly string[]>
  /** Applies changes of other pages, and stores the queued ones; returns whether there were any. */
  sync(): Promise<boolean>
}

/**
 * IndexedDB serializes transactions across pages, so changes form one numbered history. In one transaction, a page reads
 * the changes after the last number it has seen, writes its own, and applies the others. If two pages change the same
 * pet, the later change wins.
 */
export function createStateSync(database: IDBDatabase, sandboxes: Sandboxes): StateSync {
  const documents = createDocuments()
  /** The number of the latest change this page has seen. */
  let seen = 0
  /** By sandbox, the number of the change that last replaced its state; none for a sandbox that is not stored. */
  const replacedAt = new Map<string, number>()
  /** Sandboxes to restore as a whole. */
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

  /** The seed that the state of a sandbox starts from. A restored snapshot gets a seed of its own. */
  function toBase(sandbox: string): Seed {
    const { state } = sandboxes.open(sandbox)
    if (state.changes === 0) return state.seed
    const pets = createPetTable()
    for (const pet of state.values()) pets.put(pet)
    apply(() => state.reset(createSeed(state.seed.name, pets)))
    return state.seed
  }

  /** Whether a pet may be at another position in the list of this page. */
  function isMisplaced({ sandbox, petId, place, isMoved, status }: PetRecord): boolean {
    const { state } = sandboxes.open(sandbox)
    if (status === undefined) return false
    return state.get(petId) === undefined || (place > seen && (isMoved || !state.seed.pets.has(petId)))
  }

  /** Changes to a state that another page has replaced are dropped. */
  function noteReplaced(record: SandboxRecord, mine: LocalChanges): void {
    const { name, seq, document } = record
    const own = mine.get(name)
    const known = replacedAt.get(name)
    if (known === seq || own?.isReplaced === true) return
    // Two pages can create the same sandbox at once. They agree if both started from the same list.
    if (own?.base !== undefined && known === undefined && documents.describe(own.base).id === document) {
      noteBase(name, record)
      return
    }
    stale.add(name)
    mine.delete(name)
  }

  /** Reads the changes of other pages, and notes which sandboxes to restore as a whole. */
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
      // Behind the changes made in the meantime, which are stored next, on top of what the other page has stored.
      if (changes.has(stored.name)) {
        noteBase(stored.name, stored.record)
        continue
      }
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

  /** Writes the changes of a sandbox, numbered from `seq`; returns the last number. */
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
      // Another page has removed it in the meantime, and with it its position.
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
      // Known from the start, so that a state that starts from it counts as unchanged.
      documents.describe(sandboxes.seed)
      const restored = new Set<string>()
      const loaded = await write(database, (transaction) =>
        loadState(transaction, (stored) => {
          // Changes made in the meantime belong to the replaced state, and are dropped with it.
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
