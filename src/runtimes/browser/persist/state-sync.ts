import type { InventoryChange } from '../../../sandbox/events.ts'
import type { Sandboxes } from '../../../sandbox/sandboxes.ts'
import { createPetTable } from '../../../store/pet-table.ts'
import { createSeed, type Seed } from '../../../store/seed.ts'
import { createDocuments } from './documents.ts'
import { loadState } from './load-state.ts'
import { type LocalChanges, noteChange, openChanges } from './local-changes.ts'
import { type RecordsSince, readSandbox, readSince, type StoredSandbox } from './read-records.ts'
import { putStored, restoreSandbox } from './restore-sandbox.ts'
import type { PetRecord } from './state-database.ts'
import { read, write } from './transaction.ts'
import { writeChanges } from './write-changes.ts'

/** Keeps the sandboxes of this page and what is stored alike. Of its promises one is waited for at a time. */
export interface StateSync {
  /** Whether there are changes to store. */
  readonly hasChanges: boolean
  /** Notes a change of this page; one that was taken up from another is none. */
  note(change: InventoryChange): void
  /** Takes up what is stored, and notes what is not; says what could not be used. */
  load(): Promise<readonly string[]>
  /** Stores the changes; says whether other pages have something to take up. */
  store(): Promise<boolean>
  /** Takes up what other pages have stored. */
  catchUp(): Promise<void>
}

/**
 * IndexedDB's transactions come one after the other, whatever page they are of. So there is one history of changes,
 * each with its number, and a page reads what came after the last number that it has seen. Of a pet that two pages
 * change at once the later change stands. A page's own changes are in its mock before they are stored; until they are,
 * older ones of other pages do not cover them.
 */
export function createStateSync(database: IDBDatabase, sandboxes: Sandboxes): StateSync {
  const documents = createDocuments()
  const seen = { seq: 0, sandboxes: new Map<string, number>() }
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
    seen.sandboxes.set(stored.name, stored.record?.seq ?? 0)
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
    return state.get(petId) === undefined || (place > seen.seq && (isMoved || !state.seed.pets.has(petId)))
  }

  function noteStale({ sandboxes: replaced, pets }: RecordsSince): void {
    for (const { name, seq } of replaced) if (seen.sandboxes.get(name) !== seq) stale.add(name)
    for (const pet of pets) if (!stale.has(pet.sandbox) && isMisplaced(pet)) stale.add(pet.sandbox)
  }

  function putPets(pets: readonly PetRecord[]): void {
    for (const pet of pets) {
      const own = changes.get(pet.sandbox)
      if (stale.has(pet.sandbox) || own?.isReplaced || own?.pets.has(pet.petId)) continue
      putStored(sandboxes.open(pet.sandbox).state, pet)
    }
  }

  async function catchUp(): Promise<void> {
    await read(database, async (transaction) => {
      const since = await readSince(transaction, seen.seq)
      noteStale(since)
      const whole = await Promise.all(Array.from(stale, (name) => readSandbox(transaction, name)))
      apply(() => putPets(since.pets))
      for (const stored of whole) {
        // After the changes of this page, which are stored next.
        if (changes.has(stored.name)) continue
        restore(stored)
        stale.delete(stored.name)
      }
      seen.seq = since.seq
    })
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
      seen.seq = loaded.seq
      for (const [name, seq] of loaded.sandboxes) seen.sandboxes.set(name, seq)
      for (const { controls, state } of sandboxes.values()) {
        if (restored.has(controls.name)) continue
        const isUntouched = state.changes === 0 && state.seed === sandboxes.seed
        if (controls === sandboxes.default.controls || !isUntouched)
          openChanges(changes, controls.name, toBase(controls.name))
      }
      return loaded.problems
    },
    async store() {
      const mine = changes
      changes = new Map()
      const written = await write(database, (transaction) =>
        writeChanges(transaction, { changes: mine, seen, documents }),
      )
      for (const [name, seq] of written.sandboxes) seen.sandboxes.set(name, seq)
      for (const name of written.overtaken) stale.add(name)
      const hasSeenAll = written.before === seen.seq
      if (hasSeenAll) seen.seq = written.seq
      if (!hasSeenAll || stale.size > 0) await catchUp()
      return written.seq > written.before
    },
    catchUp,
  }
}
