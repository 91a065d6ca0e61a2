import { createErrorResponse } from '../http/error-response.ts'
import { cut } from '../http/quote.ts'
import type { PathParams } from '../http/router.ts'
import { type Awaitable, whenReady } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import { ERROR_ORDERS, type ErrorOrder, type Rules } from '../inventory/profile.ts'
import type { Operation, OperationContext } from './define-operation.ts'
import { isInvalidPetId, type ReadableRequest, readRequest } from './read-request.ts'

/** A request for an operation, and its context. */
export interface OperationCall extends OperationContext {
  readonly operation: Operation
  readonly params: PathParams
  readonly request: ReadableRequest
  /** Creates the 401; `undefined` with a valid key. */
  readonly refuseKey: (() => WireResponse) | undefined
}

/** The checks that need no body, before and after the request is validated (400). */
interface Checks {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

const CHECKS = Object.fromEntries(ERROR_ORDERS.map((order) => [order, toChecks(order)])) as Record<ErrorOrder, Checks>

/** The order of operations that the specification does not show. */
const KEY_FIRST: Checks = { before: ['401'], after: [] }

/** Looks for the errors of a request in the order of the rules. Carries the request out if there is none. */
export function answerInOrder(call: OperationCall): Awaitable<WireResponse> {
  const { operation, request, rules } = call
  const { before, after } = operation.specified ? CHECKS[rules.order] : KEY_FIRST
  const error = findError(call, before)
  if (error !== undefined) return error
  return whenReady(readRequest(request, call), (read) => {
    const prepared = 'problem' in read ? read : operation.prepare(read, call)
    if (typeof prepared === 'function') return findError(call, after) ?? prepared()
    return createErrorResponse('invalid_request', prepared.problem, { sentCode: rules.codes[400] })
  })
}

/** The 404 of a pet that does not exist. */
export function createUnknownPetResponse(petId: string, { codes }: Rules): WireResponse {
  return createErrorResponse('not_found', `There is no pet ${cut(petId)}`, { sentCode: codes[404] })
}

function toChecks(order: ErrorOrder): Checks {
  const statuses = order.split(', ')
  const index = statuses.indexOf('400')
  const after = statuses.slice(index + 1)
  // As the last check, the 404 is that of the operation.
  return { before: statuses.slice(0, index), after: after.at(-1) === '404' ? after.slice(0, -1) : after }
}

function findError({ operation, params, state, rules, refuseKey }: OperationCall, checks: readonly string[]) {
  for (const status of checks) {
    if (status === '401' && refuseKey !== undefined) return refuseKey()
    const petId = status === '404' && operation.petIdOf?.in === 'path' ? params[operation.petIdOf.name] : undefined
    if (petId !== undefined && !isInvalidPetId(petId, rules) && state.get(petId) === undefined)
      return createUnknownPetResponse(petId, rules)
  }
  return undefined
}
