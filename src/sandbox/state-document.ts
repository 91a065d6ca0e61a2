import * as v from 'valibot'
import { isSandboxName } from '../auth/authenticator.ts'
import { isJsonObject } from '../http/exact-json.ts'
import { quote, showValue } from '../http/quote.ts'
import { must, object, parseOr, type Schema, string, whole } from '../http/schema.ts'
import { type Pet, type PetKey, parsePetKey, readPet, toPetId } from '../inventory/pet.ts'
import { FixtureError, parseJsonText } from '../store/fixture.ts'
import { InventoryState } from '../store/inventory-state.ts'
import { PetTable } from '../store/pet-table.ts'
import { createSeed, type Seed, type Seeds } from '../store/seed.ts'
import type { SandboxInternals } from './sandbox.ts'
import { MOST_LOADED_PETS, type Sandboxes } from './sandboxes.ts'

/** Raised when releases can no longer read each other's state. */
export const STATE_VERSION = 5

/** A pet: `[petId, quantity, status]`. As in fixtures, an id beyond ±(2^53−1) is a string, so that no tool rounds it. */
type PetRow = readonly unknown[]

/**
 * The pets of all sandboxes, as JSON: the state file, the state that a page stores and a link hold it. Lists that
 * sandboxes start from are written once, and each sandbox as its changes:
 *
 *     { "version": 5,
 *       "seeds": [{ "name": "default", "pets": [[1,12,"available"],[2,3,"pending"]] }],
 *       "sandboxes": [{ "name": "checkout-7", "seed": 0, "removed": [2],
 *                       "pets": [[1,11,"available"],["9223372036854775807",5,"sold"]] }] }
 *
 * `seed` is an index in `seeds`. `removed` has ids of pets in the seed; `pets` those that changed, and the new ones.
 */
interface StateDocument {
  readonly version: number
  readonly seeds: readonly { readonly name: string; readonly pets: readonly PetRow[] }[]
  readonly sandboxes: readonly StoredSandbox[]
}

interface StoredSandbox {
  readonly name: string
  readonly seed: number
  readonly removed?: readonly unknown[] | undefined
  readonly pets?: readonly PetRow[] | undefined
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
    each === sandboxes.default || each.state.changes > 0 || each.state.seed !== sandboxes.seeds.initial
  const written = sandboxes.values().filter(isWritten)
  const seeds = new Map<Seed, number>()
  const stored = written.map(({ controls: { name }, state }) => {
    const seed = seeds.get(state.seed) ?? seeds.size
    seeds.set(state.seed, seed)
    const { removed, pets } = state.listChanges()
    return {
      name,
      seed,
      ...(removed.length > 0 && { removed: removed.map(toId) }),
      ...(pets.length > 0 && { pets: pets.map(toRow) }),
    }
  })
  const document: StateDocument = {
    version: STATE_VERSION,
    seeds: Array.from(seeds.keys(), ({ name, pets }) => ({ name, pets: Array.from(pets.values(), toRow) })),
    sandboxes: stored,
  }
  const changes = written.reduce((sum, { state }) => sum + state.changes, 0)
  return { text: JSON.stringify(document), summary: { sandboxes: written.length, changes } }
}

function toId(petId: PetKey): number | string {
  const id = toPetId(petId)
  return typeof id === 'bigint' ? petId : id
}

function toRow({ petId, quantity, status }: Pet): PetRow {
  return [toId(petId), quantity, status]
}

/**
 * Restores the states of a document; every other sandbox starts from the mock's seed. An invalid document changes nothing.
 * @param options `origin` names the document in messages.
 * @throws {FixtureError}
 */
export function restoreState(
  text: string,
  { sandboxes, origin }: { sandboxes: Sandboxes; origin: string },
): StateSummary {
  const states = readStates(text, { known: sandboxes.seeds, origin })
  const summary = { sandboxes: states.size, changes: states.values().reduce((sum, { changes }) => sum + changes, 0) }
  for (const { controls, state } of sandboxes.values())
    if (!states.has(controls.name)) state.reset(sandboxes.seeds.initial)
  for (const [name, restored] of states) sandboxes.open(name).state.restore(restored.snapshot())
  return summary
}

/** A problem of a document, without its name. */
class StateProblem extends Error {}

/** Reads the whole document before anything is changed. */
function readStates(
  text: string,
  { known, origin }: { readonly known: Seeds; readonly origin: string },
): ReadonlyMap<string, InventoryState> {
  try {
    if (typeof text !== 'string') throw new StateProblem(`must be the text of exportState(), got ${quote(text)}`)
    const document = parseDocument(parseJsonText(text, origin))
    let loaded = 0
    const addPets = (count: number): void => {
      loaded += count
      if (loaded > MOST_LOADED_PETS) throw new StateProblem(`has more than ${MOST_LOADED_PETS} pets beside the seed`)
    }
    const seeds = document.seeds.map(({ name, pets }, index) => {
      const shared = [known.named.get(name), known.initial].find((seed) => seed && isListOf(pets, seed))
      if (shared === undefined) addPets(pets.length)
      return shared ?? createSeed(name, toPetTable(pets, `seeds[${index}].pets`), { isStored: true })
    })
    const states = new Map<string, InventoryState>()
    for (const [index, stored] of document.sandboxes.entries()) {
      const place = `sandboxes[${index}]`
      const seed = seeds[stored.seed]
      if (seed === undefined) throw new StateProblem(`${place}.seed: must be the index of a seed, got ${stored.seed}`)
      addPets(stored.pets?.length ?? 0)
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
      pets: v.optional(ROWS),
    }),
    must('an array'),
  ),
})

function parseDocument(value: unknown): StateDocument {
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
function isListOf(rows: readonly PetRow[], { pets }: Seed): boolean {
  const isRowOf = (row: unknown, pet: Pet): boolean =>
    Array.isArray(row) && row.length === 3 && toRow(pet).every((value, index) => row[index] === value)
  return rows.length === pets.size && pets.values().every((pet, index) => isRowOf(rows[index], pet))
}

function readChanges(
  { removed = [], pets = [] }: StoredSandbox,
  { seed, place }: { readonly seed: Seed; readonly place: string },
): InventoryState {
  const state = new InventoryState(seed)
  for (const [index, id] of removed.entries()) {
    if (!state.remove(parsePetKey(id) ?? ''))
      throw new StateProblem(`${place}.removed[${index}]: must be the id of a pet in the seed, got ${quote(id)}`)
  }
  for (const [index, row] of pets.entries()) state.put(toPet(row, `${place}.pets[${index}]`))
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
