import type { OperationId } from '../contract/operations.gen.ts'
import type { Awaitable } from '../http/awaitable.ts'
import { type JsonObject, parseExactJson, writeExactJson } from '../http/exact-json.ts'
import { setTimeout } from '../http/globals.ts'
import { MockError } from '../http/mock-error.ts'
import { suggest } from '../http/quote.ts'
import { createJsonResponse, type WireResponse } from '../http/wire-response.ts'
import { isPetKey, type Pet, toItemJson } from '../inventory/pet.ts'
import { ERROR_ORDERS, type Rules } from '../inventory/profile.ts'
import type { OperationContext, OperationRun } from '../operations/operations.ts'

type State = OperationContext['state']

export interface Turn extends OperationRun {
  readonly memory: WeakMap<State, unknown>
  /** Runs the operation of the sound mock, with another state or without a key. */
  next(changes?: Partial<OperationRun>): Awaitable<WireResponse>
  /** Notes that the mutant answers or stores anything that the sound mock would not. */
  alter(): void
  /** Whether this is one of the first `most` in the run, which may have many mocks and processes. */
  isAmong(most: number): boolean
}

/** A change around an operation. It decides by the request and the state alone, because tests may run in parallel. */
export type Change = (turn: Turn) => Awaitable<WireResponse>

export interface Mutant {
  readonly name: string
  /** Tests should fail with a defect. They should pass with what the contract allows or leaves open. */
  readonly kind: 'defect' | 'allowed' | 'open'
  /** The defect, or what tests depend on; what the mock did; which test is missing, or how to write it. */
  readonly text: string
  /** The answers, as operation and status, without which no request can meet the mutant. */
  readonly needs?: readonly string[]
  /** The request that meets a defect. */
  readonly met?: string
}

interface Row extends Omit<Mutant, 'name' | 'kind'> {
  readonly change: Change
}
type Effect = Omit<Row, 'text'>

const UPDATE = { needs: ['updateInventory 200'], met: 'update that changes a quantity' }
const LIST = { needs: ['listInventory 200'], met: 'request for the list' }
const SLOW = { most: 10, ms: 500 }

const DEFECTS: Readonly<Record<string, Row>> = {
  'lost-update': {
    text: 'A lost update: every update answered 200 and changed nothing. No test reads the stock again after an update',
    ...onPut((pet, { state }) => (state.get(pet.petId)?.quantity === pet.quantity ? [pet] : [])),
  },
  'second-pet': {
    text: 'An update of two pets: each update also set a second pet to its quantity, the first in the list with another quantity. No test checks that pet after an update',
    ...onPut((pet, { state }) => {
      const second = state.values().find(({ petId, quantity }) => petId !== pet.petId && quantity !== pet.quantity)
      return second === undefined ? [pet] : [{ ...second, quantity: pet.quantity }, pet]
    }),
  },
  'changed-status': {
    text: 'A changed status: each update also changed the status of its pet. No test reads the status after an update',
    ...onPut((pet) => [{ ...pet, status: pet.status === 'sold' ? 'available' : 'sold' }]),
  },
  'old-quantity': {
    text: 'An old quantity: each update answered with the quantity before it. No test reads the quantity in that response',
    ...UPDATE,
    change(turn) {
      const before = turn.state.get(turn.petId ?? '')
      return onBody('updateInventory', (pet) => ({ ...pet, quantity: before?.quantity }))(turn)
    },
  },
  'stale-list': {
    text: 'A stale list: it did not show the latest update. No test reads the list after an update',
    needs: [...UPDATE.needs, ...LIST.needs],
    met: `${LIST.met} after an update`,
    change: (turn) => (turn.operation.id === 'listInventory' ? BEFORE_UPDATE : KEEP_UPDATE).change(turn),
  },
  'missing-pet': {
    text: 'A missing pet: the list ended before its last pet. No test expects all pets in the list',
    ...onList((pets) => (pets.length === 0 ? undefined : pets.slice(0, -1))),
  },
  'unknown-pet': {
    text: 'An update of an unknown pet: it answered 200 instead of 404. No test expects the 404 of an unknown pet',
    ...onRefused(404, (pet) => createJsonResponse(200, toItemJson(pet))),
  },
  'accepted-error': {
    text: 'An invalid update: it answered 200 instead of 400. No test expects the 400 of an invalid body for a pet that exists',
    ...onRefused(400, (pet) => createJsonResponse(200, toItemJson(pet))),
  },
  'applied-error': {
    text: 'A refused update: it answered 400 and changed the stock. No test reads the stock again after a refused update',
    ...onRefused(400, (pet, { state }) => {
      state.put({ ...pet, quantity: pet.quantity === 0 ? 1 : 0 })
      return undefined
    }),
  },
  'open-list': {
    text: 'A list for everybody: it answered without a valid key. No test expects the 401 of a list without a valid key',
    ...openTo('listInventory'),
  },
  'open-update': {
    text: 'An update by anybody: it needed no valid key. No test expects the 401 of an update without a valid key',
    ...openTo('updateInventory'),
  },
}

const ALLOWED: Readonly<Record<string, Row>> = {
  'list-order': {
    text: 'the order of the list, which the contract leaves open: each list came in another order. Find a pet by its petId',
    ...onList((pets, { state, memory }) => {
      if (pets.length < 2) return undefined
      const count = ((memory.get(state) as number | undefined) ?? 0) + 1
      memory.set(state, count)
      const places = 1 + (count % (pets.length - 1))
      return [...pets.slice(places), ...pets.slice(0, places)]
    }),
  },
  'other-errors': {
    text: 'the code and message of errors, which the contract leaves open: both were others. Decide by the status',
    change: onBody('errors', (error) => ({ ...error, code: 'changed_code', message: 'Another message' })),
  },
  'slow-answers': {
    text: `quick responses, which the contract does not promise: ${SLOW.most} of them took ${SLOW.ms} ms each. Wait for them`,
    // The first of each operation in a sandbox, so that they spread over the tests.
    async change({ operation, state, memory, next, alter, isAmong }) {
      const response = await next()
      const met = memory.get(state) as ReadonlySet<OperationId> | undefined
      memory.set(state, new Set(met).add(operation.id))
      if (met?.has(operation.id) || !isAmong(SLOW.most)) return response
      alter()
      return new Promise((resolve) => setTimeout(resolve, SLOW.ms, response))
    },
  },
  'new-property': {
    text: 'the properties of a pet, to which the contract may add: each had updatedAt. Compare those that you use',
    change: onBody('pets', (pet) => ({ ...pet, updatedAt: '2001-01-01T00:00:00Z' })),
  },
}

/** Decisions that a profile may hold. */
const POINTS: readonly Partial<Rules>[] = [
  ...ERROR_ORDERS.slice(1).map((order) => ({ order })),
  { malformedPetId: 404 },
  { quantity: { min: 0, max: 2 ** 31 - 1 } },
  { unknownProperties: 'reject' },
  { otherContentType: 'accept' },
  { challenge: 'omit' },
  { codes: { 400: 'bad', 401: 'no_key', 404: 'no_pet' } },
]

export const MUTANTS: readonly (Mutant & Row)[] = [
  ...Object.entries(DEFECTS).map(([name, row]) => ({ name, kind: 'defect' as const, ...row })),
  ...Object.entries(ALLOWED).map(([name, row]) => ({ name, kind: 'allowed' as const, ...row })),
]

export const PROFILE_MUTANTS: readonly (Mutant & Row)[] = POINTS.map((point) => {
  const name = JSON.stringify(point)
  const text = `what the specification leaves open: the service had the profile ${name}. Make them pass with both`
  return { name, kind: 'open', text, change: decideBy(point) }
})

/** @throws {MockError} `INVALID_OPTION` */
export function findMutant(name: string): Mutant & Row {
  const mutant = [...MUTANTS, ...PROFILE_MUTANTS].find((each) => each.name === name)
  if (mutant !== undefined) return mutant
  const names = MUTANTS.map((each) => each.name)
  throw new MockError('INVALID_OPTION', `There is no mutant ${name}.${suggest(name, names)} See mutate --list`)
}

function decideBy(point: Partial<Rules>): Change {
  const toText = ({ status, headers, body }: WireResponse) => JSON.stringify([status, headers, String(body)])
  return async ({ rules, state, next, alter }) => {
    const sound = await next({ state: withMethods(state, { put: (pet) => pet }) })
    const response = await next({ rules: { ...rules, ...point } })
    if (toText(sound) !== toText(response)) alter()
    return response
  }
}

function withMethods(state: State, methods: Partial<State>): State {
  return new Proxy(state, { get: (_, name: keyof State) => methods[name] ?? state[name].bind(state) })
}

function onPut(change: (pet: Pet, turn: Turn) => readonly Pet[]): Effect {
  return onState(UPDATE, (turn) => ({
    put(pet) {
      const pets = change(pet, turn)
      if (pets.length !== 1 || pets[0] !== pet) turn.alter()
      return pets.map((each) => turn.state.put(each)).at(-1) ?? pet
    },
  }))
}

function onList(change: (pets: readonly Pet[], turn: Turn) => readonly Pet[] | undefined): Effect {
  return onState(LIST, (turn) => ({
    toList() {
      const pets = change(Array.from(turn.state.values()), turn)
      if (pets === undefined) return turn.state.toList()
      turn.alter()
      return new TextEncoder().encode(`[${pets.map(toItemJson).join()}]`)
    },
  }))
}

function onState(reach: Pick<Mutant, 'needs' | 'met'>, toMethods: (turn: Turn) => Partial<State>): Effect {
  return { ...reach, change: (turn) => turn.next({ state: withMethods(turn.state, toMethods(turn)) }) }
}

function onRefused(status: 400 | 404, answer: (pet: Pet, turn: Turn) => WireResponse | undefined): Effect {
  const change = onResponse((response, turn) => {
    const { petId = '' } = turn
    const isUnknown = status === 404 && isPetKey(petId)
    const pet: Pet | undefined = isUnknown ? { petId, quantity: 0, status: 'available' } : turn.state.get(petId)
    return response.status === status && pet !== undefined ? (answer(pet, turn) ?? { ...response }) : response
  })
  const met = status === 404 ? 'update of an unknown pet' : 'invalid update of a pet that exists'
  return { needs: [`updateInventory ${status}`], met, change }
}

function onResponse(answer: (response: WireResponse, turn: Turn) => WireResponse): Change {
  return async (turn) => {
    const response = await turn.next()
    const changed = answer(response, turn)
    if (changed !== response) turn.alter()
    return changed
  }
}

function onBody(of: 'errors' | 'pets' | OperationId, edit: (each: JsonObject) => JsonObject): Change {
  return onResponse((response, { operation }) => {
    const isOther = (of !== 'pets' && of !== operation.id) || response.status !== 200
    if (of === 'errors' ? response.status < 400 : isOther) return response
    const text = new TextDecoder().decode(response.body)
    const body = parseExactJson(text) as JsonObject | JsonObject[]
    const json = writeExactJson(Array.isArray(body) ? body.map(edit) : edit(body))
    return json === text ? response : createJsonResponse(response.status, json, response.headers)
  })
}

function openTo(id: OperationId): Effect {
  const change: Change = ({ operation, auth, next, alter }) => {
    if (auth.kind === 'valid' || operation.id !== id) return next()
    alter()
    return next({ auth: { kind: 'valid' } })
  }
  const request = id === 'listInventory' ? LIST.met : 'update'
  return { needs: [`${id} 401`], met: `${request} without a valid key`, change }
}

const KEEP_UPDATE = onPut((pet, { state, memory }) => {
  memory.set(state, [state.get(pet.petId), pet])
  return [pet]
})

const BEFORE_UPDATE = onList((pets, { state, memory }) => {
  const [before, after] = (memory.get(state) ?? []) as Pet[]
  // A test may have set the quantity since.
  const isLatest = after !== undefined && state.get(after.petId)?.quantity === after.quantity
  if (before === undefined || !isLatest || before.quantity === after.quantity) return undefined
  return pets.map((pet) => (pet.petId === before.petId ? before : pet))
})
