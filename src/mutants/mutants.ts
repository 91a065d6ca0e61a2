import type { OperationId } from '../contract/operations.gen.ts'
import { joinBytes } from '../http/bytes.ts'
import { setTimeout } from '../http/globals.ts'
import { MockError } from '../http/mock-error.ts'
import { suggest } from '../http/quote.ts'
import type { Awaitable } from '../http/wire-request.ts'
import { createJsonResponse, type WireResponse } from '../http/wire-response.ts'
import { type Pet, type PetStatus, toItemJson } from '../inventory/pet.ts'
import type { OperationContext, OperationRun } from '../operations/operation.ts'

type State = OperationContext['state']

/** One request to an operation of a mutant. */
export interface Turn {
  readonly run: OperationRun
  readonly state: State
  /** What the mutant keeps of each sandbox. */
  readonly memory: WeakMap<State, unknown>
  /** Runs the operation of the sound mock, with another state or without a key. */
  next(changes?: Partial<Pick<OperationRun, 'state' | 'keyError'>>): Awaitable<WireResponse>
  /** Notes that the mutant answers or stores anything that the sound mock would not. */
  alter(): void
}

/** A change around an operation. It decides by the request and the state alone, because tests may run in parallel. */
export type Change = (turn: Turn) => Awaitable<WireResponse>

export interface Mutant {
  readonly name: string
  /** Tests should fail with a defect. They should pass with what the contract allows or leaves open. */
  readonly kind: 'defect' | 'allowed' | 'open'
  /** The defect, or what tests lean on; what the mock did; which test is missing, or how to write it. */
  readonly text: string
  /** The answers, as operation and status, without which no request can meet the mutant. */
  readonly needs: readonly string[]
}

type Row = Pick<Mutant, 'text'> & Partial<Pick<Mutant, 'needs'>> & { readonly change: Change }

const LISTED = 'listInventory 200'
const UPDATED = 'updateInventory 200'
const SLOW_MS = 500

const DEFECTS: Readonly<Record<string, Row>> = {
  'lost-update': {
    text: 'A lost update: every update answered 200 and changed nothing. No test reads the stock again after an update',
    needs: [UPDATED],
    change: onPut((pet, { state, alter }) => {
      if (state.get(pet.petId)?.quantity !== pet.quantity) alter()
      return pet
    }),
  },
  'second-pet': {
    text: 'An update of two pets: each also set the quantity of another pet. No test checks the other pets after an update',
    needs: [UPDATED],
    change: onPut((pet, { state, run, alter }) => {
      const second = state.values().find(({ petId, quantity }) => petId !== pet.petId && quantity !== pet.quantity)
      if (second !== undefined) alter()
      if (second !== undefined) state.put({ ...second, quantity: pet.quantity }, run.cause)
      return state.put(pet, run.cause)
    }),
  },
  'changed-status': {
    text: 'A changed status: each update also changed the status of its pet. No test reads the status after an update',
    needs: [UPDATED],
    change: onPut((pet, { state, run, alter }) => {
      alter()
      return state.put({ ...pet, status: pet.status === 'sold' ? 'available' : 'sold' }, run.cause)
    }),
  },
  'old-quantity': {
    text: 'An old quantity: each update answered with the quantity before it. No test reads the quantity in that response',
    needs: [UPDATED],
    async change({ run, state, next, alter }) {
      const before = findPet(run)
      const response = await next()
      if (response.status !== 200 || before === undefined || state.get(before.petId)?.quantity === before.quantity)
        return response
      alter()
      return createJsonResponse(200, toItemJson(before))
    },
  },
  'stale-list': {
    text: 'A stale list: it did not show the latest update. No test reads the list after an update',
    needs: [UPDATED, LISTED],
    change: (turn) => (turn.run.operation.id === 'listInventory' ? listBefore(turn) : keepUpdate(turn)),
  },
  'missing-pet': {
    text: 'A missing pet: the list ended before its last pet. No test expects all pets in the list',
    needs: [LISTED],
    change: onList((pets) => (pets.length === 0 ? undefined : pets.slice(0, -1))),
  },
  'unknown-pet': {
    text: 'An update of an unknown pet: it answered 200 instead of 404. No test expects the 404 of an unknown pet',
    needs: ['updateInventory 404'],
    change({ state, next, alter }) {
      const get: State['get'] = (petId) => state.get(petId) ?? { petId, quantity: 0, status: 'available', position: 0 }
      const put: State['put'] = (pet, cause) => {
        if (state.get(pet.petId) !== undefined) return state.put(pet, cause)
        alter()
        return pet
      }
      return next({ state: withMethods(state, { get, put }) })
    },
  },
  'accepted-error': {
    text: 'An invalid update: it answered 200 instead of 400. No test expects the 400 of an invalid update',
    needs: ['updateInventory 400'],
    change: onRefused((pet) => createJsonResponse(200, toItemJson(pet))),
  },
  'applied-error': {
    text: 'A refused update: it answered 400 and changed the stock. No test reads the stock again after a refused update',
    needs: ['updateInventory 400'],
    change: onRefused((pet, { state, run }) => {
      state.put({ ...pet, quantity: pet.quantity === 0 ? 1 : 0 }, run.cause)
      return undefined
    }),
  },
  'open-list': {
    text: 'A list for everybody: it answered without a valid key. No test expects the 401 of a list without a valid key',
    needs: ['listInventory 401'],
    change: openTo('listInventory'),
  },
  'open-update': {
    text: 'An update by anybody: it needed no valid key. No test expects the 401 of an update without a valid key',
    needs: ['updateInventory 401'],
    change: openTo('updateInventory'),
  },
}

const ALLOWED: Readonly<Record<string, Row>> = {
  'list-order': {
    text: 'the order of the list, which the contract leaves open: each list came in another order. Find a pet by its petId',
    needs: [LISTED],
    change: onList((pets, { state, memory }) => {
      if (pets.length < 2) return undefined
      const count = ((memory.get(state) as number | undefined) ?? 0) + 1
      memory.set(state, count)
      // By one place more with each list, but never into its own order.
      const places = 1 + (count % (pets.length - 1))
      return [...pets.slice(places), ...pets.slice(0, places)]
    }),
  },
  'other-errors': {
    text: 'the code and message of errors, which the contract leaves open: both were others. Decide by the status',
    async change({ next, alter }) {
      const { status, headers, ...response } = await next()
      if (status < 400) return { ...response, status, headers }
      alter()
      const error = { code: 'changed_code', message: 'Another message', status }
      return createJsonResponse(status, JSON.stringify(error), headers)
    },
  },
  'slow-answers': {
    text: `quick responses, which the contract does not promise: the first of each operation in each sandbox took ${SLOW_MS} ms. Wait for them`,
    async change({ run, state, memory, next, alter }) {
      const response = await next()
      const slow = memory.get(state) as ReadonlySet<OperationId> | undefined
      if (slow?.has(run.operation.id)) return response
      memory.set(state, new Set(slow).add(run.operation.id))
      alter()
      return new Promise((resolve) => setTimeout(() => resolve(response), SLOW_MS))
    },
  },
  'new-property': {
    text: 'the properties of a pet, to which the contract may add: each had updatedAt. Compare those that you use',
    async change({ next, alter }) {
      const response = await next()
      const text = response.status === 200 ? new TextDecoder().decode(joinBytes(response.body)) : ''
      if (!text.includes('}')) return response
      alter()
      // Pets are flat, and their texts have no braces.
      return createJsonResponse(200, text.replaceAll('}', ',"updatedAt":"2001-01-01T00:00:00Z"}'))
    },
  },
  'new-status': {
    text: 'the values of status, to which the contract may add: the last pet was reserved. Handle an unknown status',
    needs: [LISTED],
    change: onList((pets) => {
      const last = pets.at(-1)
      return last && [...pets.slice(0, -1), { ...last, status: 'reserved' as PetStatus }]
    }),
  },
}

export const MUTANTS: readonly Mutant[] = [
  ...Object.entries(DEFECTS).map(([name, row]) => ({ needs: [], ...row, name, kind: 'defect' as const })),
  ...Object.entries(ALLOWED).map(([name, row]) => ({ needs: [], ...row, name, kind: 'allowed' as const })),
]

/** @throws {MockError} `INVALID_OPTION` for an unknown name. */
export function findChange(name: string): Change {
  const { change } = DEFECTS[name] ?? ALLOWED[name] ?? {}
  if (change !== undefined) return change
  const hint = suggest(name, [...Object.keys(DEFECTS), ...Object.keys(ALLOWED)])
  throw new MockError('INVALID_OPTION', `There is no mutant ${name}.${hint} See petstore-mock mutate --list`)
}

export function withMethods(state: State, methods: Partial<State>): State {
  return new Proxy(state, { get: (_, name: keyof State) => methods[name] ?? state[name].bind(state) })
}

function findPet({ petId = '', state }: OperationRun): Pet | undefined {
  return state.get(petId)
}

function onPut(store: (pet: Pet, turn: Turn) => Pet): Change {
  return (turn) => turn.next({ state: withMethods(turn.state, { put: (pet) => store(pet, turn) }) })
}

/** Changes the list. `undefined` leaves it as it is. */
function onList(change: (pets: readonly Pet[], turn: Turn) => readonly Pet[] | undefined): Change {
  return (turn) => {
    const { state, next, alter } = turn
    const toList: State['toList'] = () => {
      const pets = change(Array.from(state.values()), turn)
      if (pets === undefined) return state.toList()
      alter()
      return [new TextEncoder().encode(`[${pets.map(toItemJson).join()}]`)]
    }
    return next({ state: withMethods(state, { toList }) })
  }
}

/** Answers a refused update of a pet that exists, or only changes the state. */
function onRefused(change: (pet: Pet, turn: Turn) => WireResponse | undefined): Change {
  return async (turn) => {
    const response = await turn.next()
    const pet = response.status === 400 ? findPet(turn.run) : undefined
    if (pet === undefined) return response
    turn.alter()
    return change(pet, turn) ?? response
  }
}

const keepUpdate: Change = onPut((pet, { state, run, memory }) => {
  memory.set(state, [state.get(pet.petId), pet])
  return state.put(pet, run.cause)
})

const listBefore: Change = onList((pets, { state, memory }) => {
  const [before, after] = (memory.get(state) ?? []) as Pet[]
  // A test may have set the quantity since.
  const isLatest = after !== undefined && state.get(after.petId)?.quantity === after.quantity
  if (before === undefined || !isLatest || before.quantity === after.quantity) return undefined
  return pets.map((pet) => (pet.petId === before.petId ? before : pet))
})

function openTo(operation: OperationId): Change {
  return ({ run, next, alter }) => {
    if (run.keyError === undefined || run.operation.id !== operation) return next()
    alter()
    return next({ keyError: undefined })
  }
}
