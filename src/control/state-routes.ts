import * as v from 'valibot'
import { isJsonObject, writeExactJson } from '../http/exact-json.ts'
import { must, object, oneOf, type Schema } from '../http/schema.ts'
import { createJsonResponse } from '../http/wire-response.ts'
import { type InventoryItem, type PetKey, toInventoryItem } from '../inventory/pet.ts'
import { PET_CHANGE, type PetChange } from '../sandbox/inventory-controls.ts'
import type { SandboxInternals } from '../sandbox/sandbox.ts'
import { explainSource, type Fixture, type FixtureItem, parseFixture, readPets } from '../store/fixture.ts'
import type { PetTable } from '../store/pet-table.ts'
import { FIXTURE_SOURCE, type FixtureSource } from '../store/seed.ts'
import { ControlError, type ControlOutcome, LIMIT, type RouteGroup } from './control-route.ts'
import { LARGEST_STATE } from './read-body.ts'
import { toUnknownSandbox } from './sandbox-routes.ts'

/** The inventory of a sandbox. */
export interface StateRoutes {
  /** Get the state as a fixture */
  'GET /state': { id: 'getState'; query: StateQuery; response: State }
  /**
   * Replace the state with a fixture
   *
   * An invalid fixture is rejected, and the message names every problem. A reset still restores the seed.
   * @example One pet: {"inventory":[{"petId":1,"quantity":2,"status":"available"}]}
   */
  'PUT /state': { id: 'replaceState'; query: ReplaceQuery; body: Fixture; response: State }
  /**
   * Save the state of all sandboxes to the file of --state
   *
   * Responds after the whole file is on the disk. If the mock was started without --state, the response is 400.
   */
  'POST /state/save': { id: 'saveState'; errors: 500 }
  /**
   * Reset the sandbox
   *
   * Restores the seed, restarts the random sequence, and removes handlers, faults, the delay and journal entries. A
   * sandbox that does not exist is a 404.
   */
  'POST /reset': { id: 'reset'; query: ResetQuery; response: State; errors: 404 }
  /** List the named fixtures */
  'GET /fixtures': { id: 'listFixtures'; response: readonly FixtureSummary[] }
  /**
   * Replace the state with a fixture, by its name or content
   * @example A shipped fixture: {"fixture":"low-stock"}
   */
  'POST /load': { id: 'loadFixture'; body: FixtureChoice; response: State }
  /**
   * Add or change many pets as one change
   *
   * If one pet is invalid, nothing is changed, and the message names every problem.
   * @example Two pets: [{"petId":1,"quantity":2,"status":"available"},{"petId":11,"quantity":0,"status":"sold"}]
   */
  'PUT /pets': { id: 'putPets'; body: readonly FixtureItem[]; response: readonly InventoryItem[] }
  /** Get one pet */
  'GET /pets/{petId}': { id: 'getPetState'; response: InventoryItem; errors: 404 }
  /**
   * Change or add a pet
   *
   * An existing pet keeps the values that the body omits. A new pet needs both values.
   * @example Change the status: {"status":"sold"}
   */
  'PUT /pets/{petId}': { id: 'putPet'; body: PetChange; status: 200 | 201; response: InventoryItem }
  /** Remove a pet */
  'DELETE /pets/{petId}': { id: 'deletePet'; errors: 404 }
}

interface StateQuery {
  /**
   * The maximum number of pets. The first ones are returned.
   * @minimum 1
   */
  readonly limit?: number
}

interface ReplaceQuery {
  /** `keep` changes the pets of the fixture that was loaded last, which a reset with `fixture=keep` then restores. */
  readonly fixture?: 'keep'
}

interface ResetQuery {
  /** `all` resets every sandbox of the mock. */
  readonly sandboxes?: 'all'
  /** `keep` restores the fixture that was loaded last, as it is now, in place of the seed. */
  readonly fixture?: 'keep'
}

/**
 * The current state as a fixture.
 * @example {"inventory":[{"petId":1,"quantity":12,"status":"available"}]}
 */
export interface State {
  readonly inventory: InventoryItem[]
}

/** @example {"name":"empty","description":"A store that tracks no pets","pets":0} */
export interface FixtureSummary {
  readonly name: string
  readonly description: string
  /** The number of pets. */
  readonly pets: number
}

interface FixtureChoice {
  /** The name of a fixture, or a fixture. */
  readonly fixture: string | Fixture
}

/** `load` checks the fixture. It takes a name, too. */
const FIXTURE_ITSELF = v.custom<Fixture>(isJsonObject, (issue) => {
  const advice = explainSource(issue.input) || '. To load one by name, use POST /_mock/load'
  return must('a fixture')(issue) + advice
})
const CHOICE = object<FixtureChoice>({ fixture: FIXTURE_SOURCE as Schema<Fixture> })
const PETS = v.custom<readonly FixtureItem[]>(Array.isArray, must('a list of pets'))
// For the console, whose *Undo* puts pets back without becoming what its *Reset* restores.
const KEEP = v.optional(oneOf(['keep']))

/** @internal */
export const stateRoutes: RouteGroup<StateRoutes> = {
  'GET /state': {
    query: { limit: LIMIT },
    answer({ sandbox, query: { limit } }) {
      if (limit === undefined) return toStateResponse(sandbox)
      return { inventory: Array.from(sandbox.state.values().take(limit), toInventoryItem) }
    },
  },
  'PUT /state': {
    query: { fixture: KEEP },
    body: FIXTURE_ITSELF,
    limit: LARGEST_STATE,
    answer({ sandbox, body, query: { fixture } }) {
      if (fixture === undefined) return load(sandbox, body)
      sandbox.replacePets(parseFixture(body, 'fixture'))
      return toStateResponse(sandbox)
    },
  },
  'POST /state/save': {
    answer({ saveState }) {
      if (saveState !== undefined) return saveState()
      throw new ControlError('invalid_request', 'There is no file for the state. Start the mock with --state FILE')
    },
  },
  'POST /reset': {
    query: { sandboxes: v.optional(oneOf(['all'])), fixture: KEEP },
    answer({ query, sandbox, sandboxes }) {
      const { name } = sandbox.controls
      if (query.sandboxes === undefined && !sandboxes.has(name)) throw toUnknownSandbox(name, sandboxes)
      for (const each of query.sandboxes === 'all' ? sandboxes.values() : [sandbox])
        each.reset(query.fixture && sandboxes.seeds.reload(each.state.seed))
      return toStateResponse(sandbox)
    },
  },
  'GET /fixtures': {
    answer: ({ sandboxes: { seeds } }) =>
      seeds.names.map((name) => {
        const { description = 'Of this mock', pets } = seeds.load(name)
        return { name, description, pets: pets.size }
      }),
  },
  'POST /load': {
    body: CHOICE,
    limit: LARGEST_STATE,
    answer: ({ sandbox, body: { fixture } }) => load(sandbox, fixture),
  },
  'PUT /pets': {
    body: PETS,
    limit: LARGEST_STATE,
    answer({ sandbox, body }) {
      const pets = parsePets(body)
      sandbox.putPets(pets)
      return Array.from(pets.values(), toInventoryItem)
    },
  },
  'GET /pets/{petId}': {
    answer({ params: { petId }, sandbox }) {
      const pet = sandbox.state.get(petId)
      if (pet !== undefined) return toInventoryItem(pet)
      throw toUnknownPet(petId, sandbox)
    },
  },
  'PUT /pets/{petId}': {
    body: PET_CHANGE,
    answer({ params: { petId }, sandbox, body }) {
      const { inventory } = sandbox.controls
      if (sandbox.state.get(petId) !== undefined) return inventory.set(petId, body)
      return createJsonResponse(201, writeExactJson(inventory.add({ ...body, petId } as FixtureItem)))
    },
  },
  'DELETE /pets/{petId}': {
    answer({ params: { petId }, sandbox }) {
      if (!sandbox.state.remove(petId)) throw toUnknownPet(petId, sandbox)
    },
  },
}

const decoder = new TextDecoder()

function load(sandbox: SandboxInternals, fixture: FixtureSource): ControlOutcome {
  sandbox.controls.load(fixture)
  return toStateResponse(sandbox)
}

/** @throws {ControlError} naming every problem. */
function parsePets(items: readonly unknown[]): PetTable {
  const { pets, problems } = readPets(items, '')
  if (problems.length === 0) return pets
  throw new ControlError('invalid_request', problems.join('\n'))
}

/** The state as a fixture with exact ids. */
function toStateResponse({ state }: SandboxInternals): ControlOutcome {
  return createJsonResponse(200, `{"inventory":${decoder.decode(state.toList())}}`)
}

function toUnknownPet(petId: PetKey, { controls }: SandboxInternals): ControlError {
  return new ControlError('unknown_pet', `There is no pet ${petId} in the sandbox ${controls.name}`)
}
