import * as v from 'valibot'
import { isSandboxName } from '../auth/authenticator.ts'
import { isJsonObject } from '../http/exact-json.ts'
import { quote, showValue } from '../http/quote.ts'
import { must, object, parseOr, type Schema, string, whole } from '../http/schema.ts'
import { type Pet, readPet, toPetId } from '../inventory/pet.ts'
import { FixtureError } from '../store/fixture.ts'
import { InventoryState, type StateSnapshot } from '../store/inventory-state.ts'
import { type PetRecord, PetTable } from '../store/pet-table.ts'
import { createSeed, type Seed, type Seeds } from '../store/seed.ts'
import type { SandboxInternals } from './sandbox.ts'
import type { Sandboxes } from './sandboxes.ts'

/** Raised when releases can no longer read each other's state. */
export const STATE_VERSION = 3

/** A pet: `[petId, quantity, status]`. As in fixtures, an id beyond ±(2^53−1) is a string, so that no tool rounds it. */
type PetRow = readonly unknown[]

/**
 * The pets of all sandboxes, as JSON: the state file, the state that a page stores and a link hold it. Lists that
 * sandboxes start from are written once, and each sandbox as its changes:
 *
 *     { "version": 3,
 *       "seeds": [{ "name": "default", "pets": [[1,12,"available"],[2,3,"pending"]] }],
 *       "sandboxes": [{ "name": "checkout-7", "seed": 0, "removed": [1], "changed": [[0,11]],
 *                       "added": [["9223372036854775807",5,"sold"]] }] }
 *
 * `seed` is an index in `seeds`. In `removed` and `changed`, a pet is its index in the seed's list; `changed` has a
 * status only if that changed.
 */
interface StateDocument {
  readonly version: number
  readonly seeds: readonly { readonly name: string; readonly pets: readonly PetRow[] }[]
  readonly sandboxes: readonly StoredSandbox[]
}

interface StoredChanges {
  readonly removed?: readonly unknown[] | undefined
  readonly changed?: readonly unknown[] | undefined
  readonly added?: readonly PetRow[] | undefined
}

interface StoredSandbox extends StoredChanges {
  readonly name: string
  readonly seed: number
}

/** The size of a state document. */
export interface StateSummary {
  readonly sandboxes: number
  /** The number of pets that differ from the seeds of their sandboxes. */
  readonly changes: number
}

/** Writes the states of the default sandbox and of all sandboxes that differ from the mock's seed. */
export function writeState(sandboxes: Sandboxes): { readonly text: string; readonly summary: StateSummary } {
  const isWritten = (each: SandboxInternals): boolean =>
    each === sandboxes.default || each.state.changes > 0 || each.state.seed !== sandboxes.seeds.own
  const written = sandboxes.values().filter(isWritten)
  const seeds = new Map<Seed, number>()
  const stored = written.map(({ controls: { name }, state }) => {
    const seed = seeds.get(state.seed) ?? seeds.size
    seeds.set(state.seed, seed)
    return { name, seed, ...writeChanges(state.snapshot()) }
  })
  const document: StateDocument = {
    version: STATE_VERSION,
    seeds: Array.from(seeds.keys(), ({ name, pets }) => ({ name, pets: Array.from(pets.values(), toRow) })),
    sandboxes: stored,
  }
  const changes = written.reduce((sum, { state }) => sum + state.changes, 0)
  return { text: JSON.stringify(document), summary: { sandboxes: written.length, changes } }
}

function writeChanges({ seed, removed, changed, added }: StateSnapshot): StoredChanges {
  const toChange = ({ position, quantity, status }: PetRecord): PetRow =>
    seed.at(position)?.status === status ? [position, quantity] : [position, quantity, status]
  return {
    ...(removed.size > 0 && { removed: Array.from(removed, (petId) => seed.pets.get(petId)?.position) }),
    ...(changed.length > 0 && { changed: changed.map(toChange) }),
    ...(added.length > 0 && { added: added.map(toRow) }),
  }
}

function toRow({ petId, quantity, status }: Pet): PetRow {
  const id = toPetId(petId)
  return [typeof id === 'bigint' ? petId : id, quantity, status]
}

/**
 * Restores the states of a document; every other sandbox starts from the mock's seed. An invalid document changes nothing.
 * @param options `origin` names the document in messages. With `keepsHistory`, sandboxes of the same seed keep theirs.
 * @throws {FixtureError}
 */
export function restoreState(
  text: string,
  { sandboxes, origin, keepsHistory = false }: { sandboxes: Sandboxes; origin: string; keepsHistory?: boolean },
): StateSummary {
  const states = readStates(text, { own: sandboxes.seeds, origin })
  const summary = { sandboxes: states.size, changes: states.values().reduce((sum, { changes }) => sum + changes, 0) }
  const replace = ({ state, history, events }: SandboxInternals, restored: InventoryState): void => {
    if (!keepsHistory || restored.seed !== state.seed) history.clear()
    state.swap(restored.swap({ seed: restored.seed }))
    events.emit({ type: 'state' })
  }
  for (const sandbox of sandboxes.values())
    if (!states.has(sandbox.controls.name)) replace(sandbox, new InventoryState(sandboxes.seeds.own))
  for (const [name, state] of states) replace(sandboxes.open(name), state)
  return summary
}

/** A problem of a document, without its name. */
class StateProblem extends Error {}

/** Reads the whole document before anything is changed. */
function readStates(
  text: string,
  { own, origin }: { readonly own: Seeds; readonly origin: string },
): ReadonlyMap<string, InventoryState> {
  try {
    const document = parseDocument(text)
    const seeds = document.seeds.map(({ name, pets }, index) => {
      const shared = [own.named.get(name), own.own].find((seed) => seed && isListOf(pets, seed))
      return shared ?? createSeed(name, toPetTable(pets, `seeds[${index}].pets`))
    })
    const states = new Map<string, InventoryState>()
    for (const [index, stored] of document.sandboxes.entries()) {
      const place = `sandboxes[${index}]`
      const seed = seeds[stored.seed]
      if (seed === undefined) throw new StateProblem(`${place}.seed: must be the index of a seed, got ${stored.seed}`)
      if (states.has(stored.name)) throw new StateProblem(`${place}.name: ${stored.name} is a duplicate`)
      states.set(stored.name, readChanges(stored, { seed, place }))
    }
    return states
  } catch (cause) {
    if (cause instanceof StateProblem) throw new FixtureError(origin, [cause.message])
    throw cause
  }
}

const ROWS: Schema<readonly PetRow[]> = v.custom<readonly PetRow[]>(Array.isArray, must('an array'))

/** All but the rows, which may be a million. */
const DOCUMENT: Schema<StateDocument> = object<StateDocument>({
  version: whole(STATE_VERSION, STATE_VERSION),
  seeds: v.array(object({ name: string, pets: ROWS }), must('an array')),
  sandboxes: v.array(
    object<StoredSandbox>({
      name: v.custom<string>(isSandboxName, must('the name of a sandbox')),
      seed: whole(0),
      removed: v.optional(ROWS),
      changed: v.optional(ROWS),
      added: v.optional(ROWS),
    }),
    must('an array'),
  ),
})

function parseDocument(text: string): StateDocument {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new StateProblem(`is not JSON: ${(cause as Error).message}`)
  }
  if (!isJsonObject(value) || value['version'] === undefined)
    throw new StateProblem('this is not a state: it has no version')
  const { version } = value
  if (version !== STATE_VERSION)
    throw new StateProblem(
      `is of version ${showValue(version, 20)}, from another release, and this release reads ${STATE_VERSION}. Move it away to start from the fixture`,
    )
  return parseOr(DOCUMENT, value, {
    subject: 'the state',
    refuse: (sentence) => new StateProblem(sentence.replace(/\.$/, '')),
  })
}

/** Whether the rows are the list of a seed, whose memory a sandbox can then share. */
function isListOf(rows: readonly PetRow[], { pets, at }: Seed): boolean {
  const isRowOf = (row: unknown, pet: Pet): boolean =>
    Array.isArray(row) && row.length === 3 && toRow(pet).every((value, index) => row[index] === value)
  return rows.length === pets.size && rows.every((row, index) => isRowOf(row, at(index) as Pet))
}

function readChanges(
  { removed = [], changed = [], added = [] }: StoredChanges,
  { seed, place }: { readonly seed: Seed; readonly place: string },
): InventoryState {
  const state = new InventoryState(seed)
  const toOwn = (position: unknown, path: string): Pet => {
    const own = typeof position === 'number' ? seed.at(position) : undefined
    const pet = own && state.get(own.petId)
    if (pet !== undefined) return pet
    throw new StateProblem(`${path}: must be the index of a pet that was not removed, got ${quote(position)}`)
  }
  for (const [index, position] of removed.entries()) state.remove(toOwn(position, `${place}.removed[${index}]`).petId)
  for (const [index, row] of changed.entries()) {
    const path = `${place}.changed[${index}]`
    const [position, quantity, ...status]: unknown[] = Array.isArray(row) ? row : []
    const { petId, status: own } = toOwn(position, path)
    // With the seed's own string for the id, to save memory.
    state.put({ ...toPet([petId, quantity, ...(status.length === 0 ? [own] : status)], path), petId })
  }
  for (const [index, row] of added.entries()) {
    const path = `${place}.added[${index}]`
    const pet = toPet(row, path)
    if (state.get(pet.petId) !== undefined) throw new StateProblem(`${path}: ${pet.petId} is a duplicate`)
    state.put(pet)
  }
  return state
}

function toPetTable(rows: readonly PetRow[], place: string): PetTable {
  const pets = new PetTable()
  for (const [index, row] of rows.entries()) {
    const pet = toPet(row, `${place}[${index}]`)
    if (pets.get(pet.petId) !== undefined) throw new StateProblem(`${place}[${index}]: ${pet.petId} is a duplicate`)
    pets.put(pet)
  }
  return pets
}

function toPet(row: unknown, path: string): Pet {
  const [petId, quantity, status, ...more]: unknown[] = Array.isArray(row) ? row : []
  const pet = more.length === 0 ? readPet(petId, quantity, status) : undefined
  if (pet !== undefined) return pet
  throw new StateProblem(`${path}: must be [petId, quantity, status] of a pet, got ${quote(row)}`)
}
