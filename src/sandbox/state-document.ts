import * as v from 'valibot'
import { isSandboxName } from '../auth/authenticator.ts'
import { isJsonObject } from '../http/exact-json.ts'
import { quote, showValue } from '../http/quote.ts'
import { must, object, read, type Schema, string, toSentence, whole } from '../http/schema.ts'
import { PET, type Pet, type PetKey, readPet, toPetId } from '../inventory/pet.ts'
import { FixtureError } from '../store/fixture.ts'
import type { StateSnapshot } from '../store/inventory-state.ts'
import { createPetTable, PetRecord } from '../store/pet-table.ts'
import { createSeed, type Seed } from '../store/seed.ts'
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

interface StoredSandbox {
  readonly name: string
  readonly seed: number
  readonly removed?: readonly unknown[] | undefined
  readonly changed?: readonly unknown[] | undefined
  readonly added?: readonly PetRow[] | undefined
}

/** The size of a state document. */
export interface StateSummary {
  readonly sandboxes: number
  /** The number of pets that differ from the seeds of their sandboxes. */
  readonly changes: number
}

/** Writes the states of the default sandbox and of all sandboxes that differ from the mock's seed. */
export function writeState(sandboxes: Sandboxes): { readonly text: string; readonly summary: StateSummary } {
  const written = Array.from(sandboxes.values()).filter(
    (sandbox) => sandbox === sandboxes.default || sandbox.state.changes > 0 || sandbox.state.seed !== sandboxes.seed,
  )
  const seeds = new Map<Seed, number>()
  const stored = written.map(({ controls: { name }, state }) => {
    const seed = seeds.get(state.seed) ?? seeds.size
    seeds.set(state.seed, seed)
    return toStored(state.snapshot(), { name, seed })
  })
  const document: StateDocument = {
    version: STATE_VERSION,
    seeds: Array.from(seeds.keys(), ({ name, pets }) => ({ name, pets: Array.from(pets.values(), toRow) })),
    sandboxes: stored,
  }
  const changes = written.reduce((sum, { state }) => sum + state.changes, 0)
  return { text: JSON.stringify(document), summary: { sandboxes: written.length, changes } }
}

/**
 * Restores the states of a document; every other sandbox starts from the mock's seed. An invalid document changes nothing.
 * @param origin The name of the document in messages, such as its file name.
 * @throws {FixtureError}
 */
export function restoreState(
  text: string,
  { sandboxes, origin }: { sandboxes: Sandboxes; origin: string },
): StateSummary {
  const refuse: Refuse = (problem) => new FixtureError(origin, [problem])
  const document = parseDocument(text, refuse)
  const seeds = document.seeds.map(({ name, pets }, index) => {
    const refusePet: Refuse = (problem) => refuse(`seeds[${index}].pets${problem}`)
    return isListOf(pets, sandboxes.seed) ? sandboxes.seed : createSeed(name, toPetTable(pets, refusePet))
  })
  const snapshots = new Map<string, StateSnapshot>()
  for (const [index, stored] of document.sandboxes.entries()) {
    const refuseIn: Refuse = (problem) => refuse(`sandboxes[${index}].${problem}`)
    const seed = seeds[stored.seed]
    if (seed === undefined) throw refuseIn(`seed: must be the index of a seed, got ${stored.seed}`)
    if (snapshots.has(stored.name)) throw refuseIn(`name: ${stored.name} is a duplicate`)
    snapshots.set(stored.name, toSnapshot(stored, { seed, refuse: refuseIn }))
  }
  for (const { controls, state } of sandboxes.values())
    if (!snapshots.has(controls.name) && (state.changes > 0 || state.seed !== sandboxes.seed))
      state.reset(sandboxes.seed)
  let changes = 0
  for (const [name, snapshot] of snapshots) {
    const { state } = sandboxes.open(name)
    state.restore(snapshot)
    changes += state.changes
  }
  return { sandboxes: snapshots.size, changes }
}

type Refuse = (problem: string) => FixtureError

const ROWS: Schema<readonly PetRow[]> = v.custom<readonly PetRow[]>(Array.isArray, must('an array'))
const SANDBOX_NAME: Schema<string> = v.custom<string>(isSandboxName, must('the name of a sandbox'))

const DOCUMENT: Schema<StateDocument> = object<StateDocument>({
  version: whole(STATE_VERSION, STATE_VERSION),
  seeds: v.array(object({ name: string, pets: ROWS }), must('an array')),
  sandboxes: v.array(
    object<StoredSandbox>({
      name: SANDBOX_NAME,
      seed: whole(0),
      removed: v.optional(ROWS),
      changed: v.optional(ROWS),
      added: v.optional(ROWS),
    }),
    must('an array'),
  ),
})

/** Checks all but the rows, which may be a million. */
function parseDocument(text: string, refuse: Refuse): StateDocument {
  let value: unknown
  try {
    // Version 2 had several lines of JSON, of which the first one has the version.
    value = JSON.parse(/^\{"version":[\d.]+\}(?=\n)/.exec(text)?.[0] ?? text)
  } catch (cause) {
    throw refuse(`is not JSON: ${(cause as Error).message}`)
  }
  if (!isJsonObject(value) || value['version'] === undefined) throw refuse('this is not a state: it has no version')
  const { version } = value
  if (version !== STATE_VERSION) {
    const advice = 'Move it away to start from the fixture'
    throw refuse(
      `is of version ${showValue(version, 20)}, from another release, and this release reads ${STATE_VERSION}. ${advice}`,
    )
  }
  const reading = read(DOCUMENT, value)
  if (reading.problems === undefined) return reading.output
  throw refuse(toSentence(reading.problems[0], 'the state').replace(/\.$/, ''))
}

function isListOf(rows: readonly PetRow[], { pets, at }: Seed): boolean {
  return rows.length === pets.size && rows.every((row, index) => isRowOf(row, at(index)))
}

function isRowOf(row: unknown, pet: Pet | undefined): boolean {
  if (!Array.isArray(row) || pet === undefined) return false
  const [petId, quantity, status]: unknown[] = row
  return row.length === 3 && String(petId) === pet.petId && quantity === pet.quantity && status === pet.status
}

function toPetTable(rows: readonly PetRow[], refuse: Refuse): ReturnType<typeof createPetTable> {
  const pets = createPetTable()
  for (const [index, row] of rows.entries()) {
    const pet = toPet(row, (problem) => refuse(`[${index}]: ${problem}`))
    if (pets.has(pet.petId)) throw refuse(`[${index}]: ${pet.petId} is a duplicate`)
    pets.put(pet)
  }
  return pets
}

/** A snapshot that is checked as a whole, because it is unpacked later, on the first use of its sandbox. */
function toSnapshot(
  { removed = [], changed = [], added = [] }: StoredSandbox,
  { seed, refuse }: { readonly seed: Seed; readonly refuse: Refuse },
): StateSnapshot {
  const gone = new Set<PetKey>()
  const toOwn = (position: unknown, path: string): PetRecord => {
    const own = typeof position === 'number' ? seed.at(position) : undefined
    if (own !== undefined && !gone.has(own.petId)) return own
    throw refuse(`${path}: must be the index of a pet that was not removed, got ${quote(position)}`)
  }
  for (const [index, position] of removed.entries()) gone.add(toOwn(position, `removed[${index}]`).petId)
  return {
    seed,
    removed: gone,
    changed: changed.map((row, index) => {
      const path = `changed[${index}]`
      if (!Array.isArray(row) || row.length > 3)
        throw refuse(`${path}: must be [index, quantity, status], got ${quote(row)}`)
      const [position, quantity, status]: unknown[] = row
      const own = toOwn(position, path)
      const now = [own.petId, quantity, row.length === 2 ? own.status : status]
      const pet = toPet(now, (problem) => refuse(`${path}: ${problem}`))
      // With the seed's own string for the id, to save memory.
      return new PetRecord({ ...pet, petId: own.petId }, own.position)
    }),
    added: toAdded(added, { seed, removed: gone, refuse }),
  }
}

function toAdded(
  rows: readonly PetRow[],
  { seed, removed, refuse }: { readonly seed: Seed; readonly removed: ReadonlySet<PetKey>; readonly refuse: Refuse },
): readonly Pet[] {
  const pets = toPetTable(rows, (problem) => refuse(`added${problem}`))
  for (const { petId, position } of pets.values())
    if (seed.pets.has(petId) && !removed.has(petId)) throw refuse(`added[${position}]: ${petId} is in the seed already`)
  return Array.from(pets.values())
}

function toPet(row: unknown, refuse: Refuse): Pet {
  if (!Array.isArray(row) || row.length !== 3) throw refuse(`must be [petId, quantity, status], got ${quote(row)}`)
  const [petId, quantity, status]: unknown[] = row
  const pet = readPet(petId, quantity, status)
  if (pet !== undefined) return pet
  const { problems = [] } = read(PET, { petId, quantity, status })
  throw refuse(problems.map(({ path, clause }) => `${path} ${clause}`).join('; '))
}

function toStored(
  { seed, removed, changed, added }: StateSnapshot,
  stored: Pick<StoredSandbox, 'name' | 'seed'>,
): StoredSandbox {
  const toChange = ({ position, quantity, status }: PetRecord): PetRow =>
    seed.at(position)?.status === status ? [position, quantity] : [position, quantity, status]
  return {
    ...stored,
    ...(removed.size > 0 && { removed: Array.from(removed, (petId) => seed.pets.get(petId)?.position) }),
    ...(changed.length > 0 && { changed: changed.map(toChange) }),
    ...(added.length > 0 && { added: added.map(toRow) }),
  }
}

function toRow({ petId, quantity, status }: Pet): PetRow {
  const id = toPetId(petId)
  return [typeof id === 'bigint' ? petId : id, quantity, status]
}
