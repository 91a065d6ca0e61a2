import type { ControlParams, ControlQuery } from '../../contract/control-types.ts'
import { parseExactJson } from '../../http/exact-json.ts'
import { quote } from '../../http/quote.ts'
import { isPetKey, type Pet, type PetKey, toInventoryItem, toItemJson } from '../../inventory/pet.ts'
import { CHANGE } from '../../sandbox/inventory-controls.ts'
import type { SandboxInternals } from '../../sandbox/sandbox.ts'
import type { FixtureItem } from '../../store/fixture.ts'
import { workInSlices } from '../../store/pet-list.ts'
import { type PetQuery, parsePetQuery } from '../../store/pet-query.ts'
import { ControlError } from './control-error.ts'
import { type ControlRoute, defineControlRoute, writeList } from './define-control-route.ts'
import { readBody } from './read-json.ts'

/** `count` is the number of all matching pets, regardless of `skip` and `take`. */
export const findPets: ControlRoute<'findPets'> = defineControlRoute(
  'findPets',
  async ({ query, sandbox: { state } }) => {
    const { matches, arrange } = parsePetQuery(readPetQuery(query))
    const matching: Pet[] = []
    await workInSlices(state.values(), (pet) => {
      if (matches(pet)) matching.push(pet)
    })
    const pets = arrange(matching).values().map(toItemJson)
    const start = `{"count":${matching.length},"pets":[`
    return { status: 200, portions: writeList(pets, { start, end: () => ']}' }) }
  },
)

/** Each property of the query is a parameter with a JSON value: `?where={"quantity":{"lte":3}}&take=5`. */
function readPetQuery({ sandbox: _, ...query }: ControlQuery<'findPets'>): PetQuery {
  return Object.fromEntries(Object.entries(query).map(([name, text]) => [name, parseParameter(name, text)]))
}

function parseParameter(name: string, text: string): unknown {
  try {
    return parseExactJson(text)
  } catch (cause) {
    throw new ControlError('invalid_request', `${name} must be JSON, got ${quote(text)}`, { cause })
  }
}

export const getPetState: ControlRoute<'getPetState'> = defineControlRoute('getPetState', ({ params, sandbox }) => {
  const petId = readPetKey(params)
  const pet = sandbox.state.get(petId)
  if (pet !== undefined) return { status: 200, body: toInventoryItem(pet) }
  throw toUnknownPet(petId, sandbox)
})

/** Adds a pet, which requires both values, or changes an existing one, for which one value is enough. */
export const putPet: ControlRoute<'putPet'> = defineControlRoute('putPet', async ({ params, sandbox, ...upload }) => {
  const petId = readPetKey(params)
  const change = await readBody(upload, { schema: CHANGE })
  const { inventory } = sandbox.controls
  if (sandbox.state.get(petId) !== undefined) return { status: 200, body: inventory.set(petId, change) }
  assertRoom(sandbox)
  return { status: 201, body: inventory.add({ ...change, petId } as FixtureItem) }
})

/** In bytes. No pets are added to a state whose changes hold more. */
const LARGEST_LAYER = 256 * 1024 ** 2

function assertRoom({ state, controls }: SandboxInternals): void {
  if (state.weight <= LARGEST_LAYER) return
  throw new ControlError(
    'invalid_request',
    `No more pets can be added to the sandbox ${controls.name}: its changes hold more than ${LARGEST_LAYER} bytes`,
  )
}

export const deletePet: ControlRoute<'deletePet'> = defineControlRoute('deletePet', ({ params, sandbox }) => {
  const petId = readPetKey(params)
  if (sandbox.state.remove(petId)) return { status: 204 }
  throw toUnknownPet(petId, sandbox)
})

function toUnknownPet(petId: PetKey, { controls }: SandboxInternals): ControlError {
  return new ControlError('unknown_pet', `There is no pet ${petId} in the sandbox ${controls.name}`)
}

function readPetKey({ petId }: ControlParams<'getPetState'>): PetKey {
  if (isPetKey(petId)) return petId
  throw new ControlError('invalid_request', `petId must be an int64 in canonical decimal form, got ${quote(petId)}`)
}
