import { parseExactJson } from '../../http/exact-json.ts'
import { quote } from '../../http/quote.ts'
import { createEmptyResponse, createJsonResponse } from '../../http/wire-response.ts'
import { isPetKey, type PetKey } from '../../inventory/pet-id.ts'
import type { PetStatus } from '../../inventory/pet-status.ts'
import type { SandboxInternals } from '../../sandbox/sandbox.ts'
import { type PetQuery, parsePetQuery } from '../../store/pet-query.ts'
import type { Pet } from '../../store/pet-table.ts'
import { toItemJson } from '../../store/pet-table.ts'
import { workInSlices } from '../../store/work-in-slices.ts'
import { ControlError } from './control-error.ts'
import type { ControlContext, ControlRoute } from './control-route.ts'
import { readJsonObject } from './read-json.ts'

/** `count` is of all that match, whatever `skip` and `take` leave out. */
export const findPets: ControlRoute = {
  method: 'GET',
  path: '/pets',
  query: ['where', 'orderBy', 'take', 'skip'],
  async answer({ call, sandbox: { state } }) {
    const { matches, arrange } = parsePetQuery(readPetQuery(call.url.searchParams))
    const matching: Pet[] = []
    await workInSlices(state.values(), (pet) => {
      if (matches(pet)) matching.push(pet)
    })
    const pets = arrange(matching).map(toItemJson).join(',')
    return createJsonResponse(200, `{"count":${matching.length},"pets":[${pets}]}`)
  },
}

/** The properties of the query are parameters, each of them JSON: `?where={"quantity":{"lte":3}}&take=5`. */
function readPetQuery(parameters: URLSearchParams): PetQuery {
  const query = Array.from(parameters).filter(([name]) => name !== 'sandbox')
  return Object.fromEntries(query.map(([name, text]) => [name, parseParameter(name, text)]))
}

function parseParameter(name: string, text: string): unknown {
  try {
    return parseExactJson(text)
  } catch (cause) {
    throw new ControlError('invalid_request', `${name} must be JSON, got ${quote(text)}`, { cause })
  }
}

export const getPet: ControlRoute = {
  method: 'GET',
  path: '/pets/{petId}',
  answer({ params, sandbox }) {
    const petId = readPetKey(params)
    const pet = sandbox.state.get(petId)
    if (pet !== undefined) return createJsonResponse(200, toItemJson(pet))
    throw toUnknownPet(petId, sandbox)
  },
}

/** Adds a pet (both values are required then) or changes the one that is there (either will do). */
export const putPet: ControlRoute = {
  method: 'PUT',
  path: '/pets/{petId}',
  async answer({ params, sandbox, ...upload }) {
    const petId = readPetKey(params)
    const change = (await readJsonObject(upload, { known: ['quantity', 'status'] })) as {
      quantity?: number
      status?: PetStatus
    }
    const isNew = sandbox.state.get(petId) === undefined
    if (isNew) assertRoom(sandbox)
    if (isNew) sandbox.controls.inventory.add({ ...(change as { quantity: number; status: PetStatus }), petId })
    else sandbox.controls.inventory.set(petId, change)
    return createJsonResponse(isNew ? 201 : 200, toItemJson(sandbox.state.get(petId) as Pet))
  },
}

/** What a state may hold beside its seed before no more pets are added, in bytes. */
const LARGEST_LAYER = 256 * 1024 ** 2

function assertRoom({ state, controls }: SandboxInternals): void {
  if (state.weight <= LARGEST_LAYER) return
  throw new ControlError(
    'invalid_request',
    `The sandbox ${controls.name} holds as many pets as can be added to it, which is ${LARGEST_LAYER} bytes of them`,
  )
}

export const deletePet: ControlRoute = {
  method: 'DELETE',
  path: '/pets/{petId}',
  answer({ params, sandbox }) {
    const petId = readPetKey(params)
    if (sandbox.state.remove(petId)) return createEmptyResponse()
    throw toUnknownPet(petId, sandbox)
  },
}

function toUnknownPet(petId: PetKey, { controls }: SandboxInternals): ControlError {
  return new ControlError('not_found', `There is no pet ${petId} in the sandbox ${controls.name}`)
}

function readPetKey({ petId = '' }: ControlContext['params']): PetKey {
  if (isPetKey(petId)) return petId
  throw new ControlError('invalid_request', `petId must be an int64 in canonical decimal form, got ${quote(petId)}`)
}
